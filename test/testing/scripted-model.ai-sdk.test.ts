import { generateText, stepCountIs, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

/** The AI SDK as a consumer that knows nothing of this library: what it reads right is a right model. */
describe("a scripted model in the AI SDK", () => {
  const read = tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `content of ${path}`,
  });

  it("streams text, reasoning, a tool call and its answer through streamText", async () => {
    const model = scriptedModel(
      [
        [reply.reasoning("I should look."), reply.text("Let me see."), reply.toolCall("read", { path: "a.txt" }), reply.usage({ input: 10, output: 5 })],
        (request) => reply.text(`It has ${request.prompt.length} messages.`, { usage: { input: 20, output: 5 } }),
      ],
      { chunkSize: 4 },
    );
    const result = streamText({ model, prompt: "What is in a.txt?", tools: { read }, stopWhen: stepCountIs(3) });
    const deltas: string[] = [];
    for await (const text of result.textStream) deltas.push(text);
    expect(deltas.join("")).toBe("Let me see.It has 3 messages.");
    expect(deltas.length).toBeGreaterThan(2);
    const steps = await result.steps;
    expect(steps.map((step) => step.finishReason)).toEqual(["tool-calls", "stop"]);
    expect(steps[0]?.reasoningText).toBe("I should look.");
    expect(steps[0]?.toolResults).toMatchObject([{ toolCallId: "call_1", input: { path: "a.txt" }, output: "content of a.txt" }]);
    expect(steps.map((step) => step.usage.inputTokens)).toEqual([10, 20]);
    model.assertDone();
  });

  it("answers generateText", async () => {
    const model = scriptedModel([[reply.text("Hello"), reply.source("https://example.com"), reply.file("image/png", "aGk=")]]);
    const result = await generateText({ model, prompt: "Hi" });
    expect(result.text).toBe("Hello");
    expect(result.sources).toMatchObject([{ url: "https://example.com" }]);
    expect(result.files).toMatchObject([{ base64: "aGk=", mediaType: "image/png" }]);
  });

  it("has no finish reason of its own when the stream is cut", async () => {
    const result = streamText({ model: scriptedModel([[reply.text("half"), reply.cut()]]), prompt: "Hi" });
    expect(await result.finishReason).toBe("other");
    expect(await result.text).toBe("half");
  });

  it("ends by the caller's abort", async () => {
    const controller = new AbortController();
    const model = scriptedModel([[reply.text("half"), reply.stall()]]);
    const types: string[] = [];
    for await (const part of streamText({ model, prompt: "Hi", abortSignal: controller.signal }).stream) {
      types.push(part.type);
      if (part.type === "text-end") controller.abort();
    }
    expect(types.at(-1)).toBe("abort");
    expect(model.signals[0]?.aborted).toBe(true);
  });
});
