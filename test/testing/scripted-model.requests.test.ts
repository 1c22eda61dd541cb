import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reply, scriptedModel } from "throughline/testing";
import { ask } from "./call-options.ts";

describe("requests", () => {
  const tool: LanguageModelV4FunctionTool = { type: "function", name: "read", inputSchema: { type: "object", properties: {} } };

  it("are what was sent, whatever the caller changes later", async () => {
    const model = scriptedModel([reply.text("a")]);
    const options = ask("before", { tools: [tool], toolChoice: { type: "auto" }, temperature: 0.5, headers: { a: "b" } });
    await model.doStream(options);
    options.prompt.push({ role: "user", content: [{ type: "text", text: "after" }] });
    const [message] = options.prompt;
    if (message?.role === "user") message.content.length = 0;
    expect(model.requests).toEqual([ask("before", { tools: [tool], toolChoice: { type: "auto" }, temperature: 0.5, headers: { a: "b" } })]);
  });

  const someInput = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue(), { noNullPrototype: true });

  it("are equal to what was sent, in order of keys too, for any series of calls", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someInput, { maxLength: 6 }), async (inputs) => {
        const model = scriptedModel(() => reply.text("ok"));
        const sent: string[] = [];
        for (const input of inputs) {
          const options: LanguageModelV4CallOptions = {
            prompt: [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input }] }],
          };
          sent.push(JSON.stringify(options));
          await model.doStream(options);
        }
        expect(model.requests.map((request) => JSON.stringify(request))).toEqual(sent);
      }),
    );
  });

  it("keep the ids that they show from being given to a new call, as another process may have used them", async () => {
    const model = scriptedModel(() => reply.toolCall("read", {}));
    const content = [{ type: "tool-call" as const, toolCallId: "call_1", toolName: "read", input: {} }];
    const { content: first } = await model.doGenerate({ prompt: [{ role: "assistant", content }] });
    const { content: second } = await model.doGenerate({ prompt: [] });
    expect([first, second]).toMatchObject([[{ toolCallId: "call_2" }], [{ toolCallId: "call_3" }]]);
  });

  it("are frozen all the way down, and the caller's own objects are not", async () => {
    const model = scriptedModel([reply.text("a")]);
    const options = ask();
    await model.doStream(options);
    const message = model.requests[0]?.prompt[0];
    expect(Object.isFrozen(model.requests[0]) && Object.isFrozen(message) && Object.isFrozen(message?.content[0])).toBe(true);
    expect(Object.isFrozen(options.prompt[0])).toBe(false);
  });

  it("show a message that was changed between two calls, and share one that was not", async () => {
    const model = scriptedModel(() => reply.text("a"));
    const options: LanguageModelV4CallOptions = { prompt: [...ask("same").prompt, ...ask("old").prompt] };
    await model.doStream(options);
    const [, second] = options.prompt;
    if (second?.role === "user") second.content = [{ type: "text", text: "new" }];
    await model.doStream(options);
    const [before, after] = model.requests;
    expect(after?.prompt[0]).toBe(before?.prompt[0]);
    expect(before?.prompt[1]?.content).toEqual([{ type: "text", text: "old" }]);
    expect(after?.prompt[1]?.content).toEqual([{ type: "text", text: "new" }]);
  });

  it("keep the order of keys, which is a difference on the wire", async () => {
    const model = scriptedModel(() => reply.text("a"));
    await model.doStream(ask("x", { providerOptions: { p: { a: 1, b: 2 } } }));
    await model.doStream(ask("x", { providerOptions: { p: { b: 2, a: 1 } } }));
    expect(model.requests.map((request) => JSON.stringify(request.providerOptions))).toEqual(['{"p":{"a":1,"b":2}}', '{"p":{"b":2,"a":1}}']);
  });

  it("copy bytes", async () => {
    const model = scriptedModel(() => reply.text("a"));
    const bytes = new Uint8Array([1, 2]);
    const prompt: LanguageModelV4CallOptions["prompt"] = [
      { role: "user", content: [{ type: "file", mediaType: "image/png", data: { type: "data", data: bytes } }] },
    ];
    await model.doStream({ prompt });
    bytes[0] = 9;
    await model.doStream({ prompt });
    expect(model.requests[0]?.prompt[0]?.content).toMatchObject([{ data: { data: new Uint8Array([1, 2]) } }]);
    expect(model.requests[1]?.prompt[0]?.content).toMatchObject([{ data: { data: new Uint8Array([9, 2]) } }]);
  });

  it("keep a key named __proto__, and leave what every object inherits alone", async () => {
    const model = scriptedModel(() => reply.text("a"));
    const withInput = (json: string): LanguageModelV4CallOptions => ({
      prompt: [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: JSON.parse(json) as unknown }] }],
    });
    await model.doStream(withInput('{"a":{"b":1}}'));
    await model.doStream(withInput('{"a":{"__proto__":{}}}'));
    expect(JSON.stringify(model.requests[1])).toContain('{"__proto__":{}}');
    expect(Object.isFrozen(Object.prototype)).toBe(false);
  });

  it("have their abort signals apart", async () => {
    const model = scriptedModel([reply.text("a"), reply.text("b")]);
    const { signal } = new AbortController();
    await model.doStream(ask("x", { abortSignal: signal }));
    await model.doStream(ask());
    expect(model.signals).toEqual([signal, undefined]);
    expect(model.requests[0]).not.toHaveProperty("abortSignal");
  });
});
