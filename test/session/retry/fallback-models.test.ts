import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "throughline";
import { reply, scriptedModel, strictModel, type Reply, type Script } from "throughline/testing";
import { sharedStore } from "../recovery/crash.ts";
import { echoTool, eventsOfType, expectDone, gatedTool, nextEvent, start, textsIn } from "../session-under-test.ts";

function refusal(statusCode: number, message = "refused"): Reply {
  return reply.error(new APICallError({ message, url: "https://acme.test", requestBodyValues: {}, statusCode }));
}

const noCredit = refusal(402, "No credit.");

/** A session whose model has fallbacks. */
async function startWith(script: Script, others: Record<string, Script>, options: Partial<AgentOptions> = {}) {
  const fallbacks = Object.entries(others).map(([modelId, own]) => strictModel(scriptedModel(own, { provider: "other", modelId })));
  const test = await start(script, { fallbackModels: fallbacks, scripted: { provider: "acme", modelId: "first" }, ...options });
  const done = (): void => {
    expectDone(test);
    for (const model of fallbacks) {
      expect(model.violations).toEqual([]);
      model.assertDone();
    }
  };
  return { ...test, fallbacks, done };
}

describe("fallback models", () => {
  it("take the place of a model whose quota is used up, also where the prompt names that model (R203)", async () => {
    const pinned = strictModel(scriptedModel([noCredit], { provider: "acme", modelId: "pinned" }));
    const test = await startWith([], { second: [reply.text("Hello!")] });
    const result = await test.session.prompt("Hi", { model: pinned });
    expect(result).toMatchObject({ outcome: "answered", text: "Hello!", steps: 1, messages: [{ info: { providerID: "other", modelID: "second", step: 1, attempt: 2 } }] });
    expect(textsIn(test.fallbacks[0]?.requests[0])).toEqual(["user: Hi"]);
    expect(eventsOfType(test.events, "step.dropped")).toMatchObject([{ error: { code: "quota" } }]);
    expect(await test.session.messages()).toHaveLength(2);
    test.done();
  });

  it("are each tried once, and the error lists every cause when all fail (R203)", async () => {
    const test = await startWith([noCredit], { second: [refusal(404)], third: [refusal(401)] });
    const result = await test.session.prompt("Hi").settled;
    expect(result).toMatchObject({
      outcome: "error",
      error: {
        code: "quota",
        message: "No credit.",
        causes: [
          { model: { providerID: "acme", modelID: "first" }, error: { code: "quota" } },
          { model: { providerID: "other", modelID: "second" }, error: { code: "not-found" } },
          { model: { providerID: "other", modelID: "third" }, error: { code: "auth" } },
        ],
      },
    });
    const stored = await test.session.messages();
    expect(stored.map(({ info }) => info.role)).toEqual(["user", "assistant"]);
    expect(stored[0]?.info).toMatchObject({ outcome: { error: { causes: [{}, {}, {}] } } });
    test.done();
  });

  it("come after the retries of the model before, and have retries of their own", async () => {
    const test = await startWith([refusal(503), refusal(503)], { second: [refusal(503), reply.text("Hello!")] }, { retry: { maxAttempts: 2 } });
    const turn = test.session.prompt("Hi").settled;
    await test.clock.runAll();
    expect(await turn).toMatchObject({ outcome: "answered", messages: [{ info: { attempt: 4, modelID: "second" } }] });
    test.done();
  });

  it("stay the turn's to its end; the next turn begins with the first again", async () => {
    const { echo } = echoTool();
    const test = await startWith([noCredit, reply.text("Back.")], { second: [reply.toolCall("echo", { text: "a" }), reply.text("Done.")] }, { tools: { echo } });
    expect(await test.session.prompt("Hi")).toMatchObject({ text: "Done.", steps: 2 });
    expect(await test.session.prompt("Again")).toMatchObject({ text: "Back." });
    test.done();
  });

  it.each<[string, Reply]>([
    ["a refused request", refusal(400)],
    ["the content filter", reply.text("How to", { finish: "content-filter" })],
    ["an empty reply", [reply.finish("stop")]],
  ])("do not help against %s", async (_what, said) => {
    const test = await startWith([said], { second: [] });
    const result = await test.session.prompt("Hi").settled;
    expect(result).toMatchObject({ outcome: "error" });
    expect(result).not.toHaveProperty("error.causes");
    test.done();
  });

  it("are passed over where the request is known not to fit", async () => {
    const contextLimits: AgentOptions["contextLimits"] = ({ modelID }) => (modelID === "second" ? { context: 2_000, output: 100 } : { context: 1_000_000, output: 1_000 });
    const test = await startWith([noCredit], { second: [], third: [reply.text("Hello!")] }, { contextLimits });
    expect(await test.session.prompt("x".repeat(20_000))).toMatchObject({ text: "Hello!", messages: [{ info: { modelID: "third" } }] });
    test.done();
  });

  it.each([["the own model", "first"], ["a model that is no fallback any more", "gone"]])("do not take the place of %s after a crash", async (_what, modelId) => {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    const model = scriptedModel([reply.toolCall("gate", { name: "a" })], { provider: "acme", modelId });
    const before = await store.start([], { model, tools: { gate } });
    before.session.prompt("Hi");
    await whenStarted("a");
    await store.crash();
    const own = scriptedModel([reply.text("Here.")], { provider: "acme", modelId: "first" });
    const after = await store.start([], { model: own, tools: { gate }, fallbackModels: [scriptedModel([], { provider: "acme", modelId: "second" })] });
    expect(await after.session.resume()).toMatchObject({ text: "Here." });
  });

  it("stay in place after a crash: the turn goes on with the one that it had come to", async () => {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    const options = (scripts: Record<"first" | "second" | "third", Script>): Partial<AgentOptions> => {
      const [model, ...fallbackModels] = Object.entries(scripts).map(([modelId, script]) => scriptedModel(script, { provider: "acme", modelId }));
      return { ...(model && { model }), fallbackModels: ["nobody/nothing", ...fallbackModels], tools: { gate } };
    };
    const before = await store.start([], options({ first: [noCredit], second: [reply.toolCall("gate", { name: "a" })], third: [] }));
    before.session.prompt("Hi");
    await whenStarted("a");
    await store.crash();
    // The next one that fails is followed by the one behind it.
    const after = await store.start([], options({ first: [], second: [noCredit], third: [reply.text("Hello!")] }));
    expect(await after.session.resume()).toMatchObject({ outcome: "answered", text: "Hello!", messages: [{ info: { modelID: "second" } }, { info: { modelID: "third", attempt: 2 } }] });
  });

  it.each([
    ["there is one", ["second"], { outcome: "answered", text: "Hello!", messages: [{ info: { modelID: "second", attempt: 2 } }] }],
    ["none is left any more", [], { outcome: "error", error: { code: "quota" } }],
  ])("are tried after a crash that came between the failure and the next model, where %s", async (_what, fallbacks, expected) => {
    const store = sharedStore({ without: (operation) => operation.type === "message.put" && operation.message.role === "user" && operation.message.outcome !== undefined });
    const model = (modelId: string, script: Script) => scriptedModel(script, { provider: "acme", modelId });
    const before = await store.start([], { model: model("first", [noCredit]) });
    void before.session.prompt("Hi");
    await store.clock.advance(1_000);
    await store.crash();
    const after = await store.start([], { model: model("first", []), fallbackModels: fallbacks.map((modelId) => model(modelId, [reply.text("Hello!")])) });
    expect(await after.session.resume().settled).toMatchObject(expected);
  });

  it("are not asked after an abort", async () => {
    const test = await startWith([[reply.text("Half"), reply.stall()]], { second: [] });
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "part.delta");
    await turn.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted", text: "Half" });
    test.done();
  });

  it("that cannot be found count as failed", async () => {
    const test = await start([noCredit], { fallbackModels: ["nobody/nothing"] });
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "error" });
    expect(await test.session.messages()).toHaveLength(2);
    expectDone(test);
  });
});
