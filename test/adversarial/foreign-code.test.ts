import { describe, expect, it } from "vitest";
import { defineTool, Processor, type ProcessInput, type Tool } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";
import { echoTool, expectDone, start } from "../session/session-under-test.ts";

const throws = (): never => {
  throw new Error("Broken.");
};

describe("a logger that throws", () => {
  it("hurts neither the commit whose listener it hears of, nor the stream", async () => {
    const weird = reply.chunks([{ type: "from-the-future" } as never]); // a part type that the specification does not have yet
    const test = await start([[weird, reply.text("Hi.")]], { logger: throws });
    test.session.on("step.started", throws);
    expect(await test.session.prompt("Hi")).toMatchObject({ text: "Hi." });
    expectDone(test);
  });
});

describe("a function of prices that throws", () => {
  it("costs the price, not the answer", async () => {
    const test = await start([reply.text("Hi.")], { prices: throws });
    expect(await test.session.prompt("Hi")).toMatchObject({ text: "Hi.", cost: 0 });
    expect(test.problems).toEqual([expect.stringContaining("prices")]);
  });
});

describe("a tool's permission()", () => {
  it.each<[string, () => unknown]>([
    ["a promise of nothing", () => Promise.resolve(undefined)],
    ["a text for the list", () => ({ patterns: "secrets/key" })],
    ["a list of something else", () => ({ patterns: [undefined] })],
    ["no text as the permission", () => ({ permission: 5 })],
    ["nothing", () => undefined],
  ])("that returns %s lets nothing through", async (_what, permission) => {
    let ran = false;
    const write = { ...defineTool({ description: "Writes.", input: z.object({}), execute: () => (ran = true) }), permission } as Tool; // Wrong on purpose.
    const permissions = [{ permission: "*", action: "allow" as const }, { permission: "*", pattern: "secrets/*", action: "deny" as const }];
    const test = await start([reply.toolCall("write"), reply.text("Sorry.")], { tools: { write }, permissions });
    const { text, toolErrors } = await test.session.prompt("Write.");
    expect(ran).toBe(false);
    expect({ text, errors: toolErrors.map(({ error }) => error) }).toEqual({ text: "Sorry.", errors: [expect.stringContaining("permission()")] });
    expectDone(test);
  });
});

describe("a policy that throws", () => {
  it("denies in a processor of one's own, too", async () => {
    const { echo, runs } = echoTool();
    const step: ProcessInput = {
      session: { id: "ses_1", rootID: "ses_1" },
      user: { id: "msg_1", sessionID: "ses_1", role: "user", agent: "default", model: { providerID: "p", modelID: "m" }, time: { created: 0 } },
      agent: "default",
      messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      tools: { echo },
      model: scriptedModel(() => reply.toolCall("echo", { text: "a" })),
    };
    expect(await new Processor({ permissions: { decide: throws } }).process(step)).toBe("continue");
    expect(await new Processor().process({ ...step, permissions: { decide: throws } })).toBe("continue");
    expect(runs).toEqual([]);
  });
});

describe("a schema that answers with a thenable", () => {
  it("is waited for: what it refuses does not run", async () => {
    let ran = false;
    const verdict = { issues: [{ message: "Never." }] };
    const validate = () => ({ then: (settle: (value: unknown) => void) => { settle(verdict); } });
    const input = { "~standard": { version: 1, vendor: "own", validate, jsonSchema: { input: () => ({ type: "object" }) } } };
    const strict = defineTool({ description: "Strict.", input: input as never, execute: () => (ran = true) }); // The types ask for a real promise.
    const test = await start([reply.toolCall("strict"), reply.text("Sorry.")], { tools: { strict } });
    expect((await test.session.prompt("Hi")).toolErrors).toHaveLength(1);
    expect(ran).toBe(false);
  });
});

describe("a tool that changes the messages it was shown", () => {
  it("changes no request that follows", async () => {
    const meddle = defineTool({
      description: "Meddles.",
      input: z.object({}),
      execute(_input, { messages }) {
        const [first] = messages;
        if (first?.role === "user" && typeof first.content !== "string" && first.content[0]?.type === "text") first.content[0].text = "Changed";
        messages.push({ role: "user", content: "Added" });
        return "Done.";
      },
    });
    const test = await start([reply.toolCall("meddle"), reply.text("Hi.")], { tools: { meddle } });
    await test.session.prompt("As it was");
    expect(JSON.stringify(test.model.requests[1])).toContain("As it was");
    expect(JSON.stringify(test.model.requests[1])).not.toMatch(/Changed|Added/);
    expectDone(test);
  });
});

describe("half a character", () => {
  it("in instructions, or in those of a prompt, does not reach the provider", async () => {
    const test = await start([reply.text("Hi.")], { instructions: () => "Cut \ud83d" });
    await test.session.prompt("Hi", { system: "and \ude00 cut" });
    const [system] = test.model.requests[0]?.prompt ?? [];
    expect(system).toMatchObject({ role: "system", content: "Cut \ufffd\n\nand \ufffd cut" });
  });
});

describe("tools with the names of what every object has", () => {
  it("are tools like others, and none is found that was not given", async () => {
    const names = ["constructor", "toString", "valueOf"];
    const tools = Object.fromEntries(names.map((name) => [name, defineTool({ description: name, input: z.object({}), execute: () => name })]));
    const test = await start([[...names, "hasOwnProperty"].map((name) => reply.toolCall(name)), reply.text("Done.")], { tools });
    expect((await test.session.prompt("Hi")).toolErrors.map(({ tool }) => tool)).toEqual(["hasOwnProperty"]);
    expectDone(test);
  });
});
