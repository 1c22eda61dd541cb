import { describe, expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage, modelProfiles, type AgentOptions, type Storage } from "throughline";
import { reply, scriptedModel, strictModel, type ModelRequest, type Script } from "throughline/testing";
import { z } from "zod";
import { echoTool, expectDone, gatedTool, resultsIn, rolesIn, start, textsIn } from "./session-under-test.ts";

const png = "iVBORw0KGgo=";
const anthropic = { provider: "anthropic.messages", modelId: "claude" };
const openai = { provider: "openai.responses", modelId: "gpt" };

/** What is in every string of a value. */
const isWellFormed = (value: unknown): boolean => !/\\ud[89a-f]/i.test(JSON.stringify(value));

/** The call ids of a request's assistant messages, in order. */
function callsIn(request: ModelRequest | undefined): string[] {
  return (request?.prompt ?? []).flatMap(({ role, content }) => (role === "assistant" ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])) : []));
}

const looking = defineTool({
  description: "Makes a picture.",
  input: z.object({}),
  execute: () => ({ output: "a chart", attachments: [{ mime: "image/png", url: `data:image/png;base64,${png}` }] }),
});

/** One turn of a session in a store, by a model that refuses what its provider would refuse. */
async function turn(storage: Storage, id: string, script: Script, options: Partial<AgentOptions> & { scripted?: { provider: string; modelId: string } } = {}): Promise<readonly ModelRequest[]> {
  const { scripted, ...agentOptions } = options;
  const model = strictModel(scriptedModel(script, scripted));
  const agent = createAgent({ model, storage, ...agentOptions });
  const session = await agent.session({ id });
  await session.prompt("Go on.");
  await agent.close();
  expect(model.violations).toEqual([]);
  return model.requests;
}

describe("reports of requests that providers refused", () => {
  it("R33, anomalyco/opencode#21326: an interrupted call has its one result, directly behind it", async () => {
    const { gate, whenStarted, open } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "slow" }), reply.text("Going on.")], { tools: { gate } });
    const first = test.session.prompt("Hi");
    await whenStarted("slow");
    void first.abort();
    await test.clock.advance(250);
    await first.settled;
    await test.session.prompt("go on");
    expect(rolesIn(test.model.requests[1])).toEqual(["user", "assistant", "tool", "user"]);
    expect(resultsIn(test.model.requests[1])).toHaveLength(1);
    expect(resultsIn(test.model.requests[1])).toMatchObject([[callsIn(test.model.requests[1])[0], "error-text", expect.any(String)]]);
    open("slow");
    expectDone(test);
  });

  it("R49, anomalyco/opencode#1680: Mistral gets nine alphanumerics, for call and result alike", async () => {
    const { echo } = echoTool();
    const calls = ["call_abcdefghijk1", "call_abcdefghijk2"].map((id) => reply.toolCall("echo", { text: id }, { id }));
    const test = await start([calls, reply.text("Done.")], { tools: { echo }, scripted: { provider: "mistral.chat", modelId: "mistral-large-latest" } });
    await test.session.prompt("Hi");
    const ids = callsIn(test.model.requests[1]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(resultsIn(test.model.requests[1])).toMatchObject([[ids[0], "text", "echo: call_abcdefghijk1"], [ids[1], "text", "echo: call_abcdefghijk2"]]);
    expectDone(test);
  });

  it("R51, anomalyco/opencode#32748: ids that a provider repeats in each turn stay two calls with two results", async () => {
    const { echo } = echoTool();
    const call = (text: string) => reply.toolCall("echo", { text }, { id: "call_0" });
    const test = await start([call("a"), reply.text("One."), call("b"), reply.text("Two.")], { tools: { echo } });
    await test.session.prompt("1");
    await test.session.prompt("2");
    const ids = callsIn(test.model.requests[3]);
    expect(new Set(ids).size).toBe(2);
    expect(resultsIn(test.model.requests[3])).toEqual([[ids[0], "text", "echo: a"], [ids[1], "text", "echo: b"]]);
    expectDone(test);
  });

  it("R53, vercel/ai#14760: a call whose name comes after its first arguments is one call, run once", async () => {
    const { echo, runs } = echoTool();
    const late = reply.chunks([
      { type: "tool-input-start", id: "a", toolName: "" },
      { type: "tool-input-delta", id: "a", delta: '{"text":' },
      { type: "tool-input-delta", id: "a", delta: '"x"}' },
      { type: "tool-input-end", id: "a" },
      { type: "tool-call", toolCallId: "a", toolName: "echo", input: '{"text":"x"}' },
    ]);
    const test = await start([[late, reply.finish("tool-calls")], reply.text("Done.")], { tools: { echo } });
    const { messages } = await test.session.prompt("Hi");
    expect(messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"))).toMatchObject([{ callID: "a", tool: "echo" }]);
    expect(runs).toEqual(["x"]);
    expectDone(test);
  });

  it("R54, anomalyco/opencode#31259: blank text is not sent, its call is", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text(" \n"), reply.toolCall("echo", { text: "a" })], reply.text("Done.")], { tools: { echo }, scripted: anthropic });
    await test.session.prompt("Hi");
    expect(textsIn(test.model.requests[1])).toEqual(["user: Hi"]);
    expect(resultsIn(test.model.requests[1])).toHaveLength(1);
    expectDone(test);
  });

  it("R56, anomalyco/opencode#37685: at the step limit no request ends with an assistant message", async () => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("So far.")], { tools: { echo }, maxSteps: 2, scripted: anthropic });
    expect((await test.session.prompt("Hi")).text).toBe("So far.");
    for (const request of test.model.requests) expect(rolesIn(request).at(-1)).not.toBe("assistant");
    expectDone(test);
  });

  it("R58, anomalyco/opencode#39824: a model that cannot see is told of an image, one that can gets it back", async () => {
    const storage = memoryStorage();
    const blind = { ...modelProfiles.anthropic, userMedia: { inline: [], urls: [] }, toolResultMedia: { inline: [], urls: [] } };
    const [, first] = await turn(storage, "ses_1", [reply.toolCall("looking"), reply.text("I see.")], { tools: { looking }, scripted: anthropic });
    const [second] = await turn(storage, "ses_1", [reply.text("I read.")], { scripted: anthropic, profile: blind });
    const [third] = await turn(storage, "ses_1", [reply.text("I see again.")], { scripted: anthropic });
    expect([first, second, third].map((request) => JSON.stringify(request).includes(png))).toEqual([true, false, true]);
    expect(JSON.stringify(second)).toContain("image/png");
  });

  it("R62, anomalyco/opencode#14630: half a character in an output is replaced, in requests and in the store", async () => {
    const broken = defineTool({ description: "Cuts.", input: z.object({}), execute: () => "a\uD83Db" });
    const test = await start([reply.toolCall("broken"), reply.text("One."), reply.text("Two.")], { tools: { broken } });
    await test.session.prompt("1");
    await test.session.prompt("2");
    expect(resultsIn(test.model.requests[2])).toMatchObject([[expect.any(String), "text", "a\uFFFDb"]]);
    for (const request of test.model.requests) expect(isWellFormed(request.prompt)).toBe(true);
    expect(isWellFormed(await test.session.messages())).toBe(true);
    expectDone(test);
  });

  it("R64, MayDay-wpf/snow-cli#104: a call keeps its thought signature over a restart, and none is invented", async () => {
    const storage = memoryStorage();
    const { echo } = echoTool();
    const gemini = { provider: "google.generative-ai", modelId: "gemini-3" };
    const metadata = { google: { thoughtSignature: "s1" } };
    const calls = [reply.toolCall("echo", { text: "a" }, { id: "a", metadata }), reply.toolCall("echo", { text: "b" }, { id: "b" })];
    await turn(storage, "ses_1", [calls, reply.text("One.")], { tools: { echo }, scripted: gemini });
    const [request] = await turn(storage, "ses_1", [reply.text("Two.")], { scripted: gemini });
    const parts = request?.prompt.flatMap(({ role, content }) => (role === "assistant" ? content.filter(({ type }) => type === "tool-call") : []));
    expect(parts?.map(({ providerOptions }) => providerOptions)).toEqual([metadata, undefined]);
  });

  it("R66, cortexkit/anthropic-auth#49: a signature goes to its own model only, and comes back with it", async () => {
    const storage = memoryStorage();
    await turn(storage, "ses_1", [[reply.reasoning("Hm.", { metadata: { anthropic: { signature: "sig" } } }), reply.text("One.")]], { scripted: anthropic });
    const [foreign] = await turn(storage, "ses_1", [reply.text("Two.")], { scripted: openai });
    const [own] = await turn(storage, "ses_1", [reply.text("Three.")], { scripted: anthropic });
    expect(JSON.stringify(foreign)).not.toContain("sig");
    expect(own?.prompt[1]?.content).toMatchObject([{ type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "sig" } } }, { type: "text", text: "One." }]);
  });

  it("R68, vercel/ai#16312: text after a call does not come between the call and its result, nor is it lost", async () => {
    const { echo } = echoTool();
    const script = [[reply.toolCall("echo", { text: "a" }), reply.text("meanwhile"), reply.finish("tool-calls")], reply.text("Done.")];
    const test = await start(script, { tools: { echo }, scripted: anthropic });
    await test.session.prompt("Hi");
    expect(test.model.requests[1]?.prompt[1]?.content).toMatchObject([{ text: "meanwhile" }, { type: "tool-call" }]);
    expectDone(test);
  });

  it("R69, midday-ai/ai-sdk-tools#121: system text stands at the head only, whatever is added in the middle", async () => {
    const { echo } = echoTool();
    const script = [reply.toolCall("echo", { text: "a" }), reply.text("So far."), reply.text("Further.")];
    const test = await start(script, { tools: { echo }, instructions: "Be kind.", maxSteps: 2, scripted: anthropic });
    await test.session.prompt("Hi", { system: "Speak French." });
    await test.session.prompt("And?");
    for (const request of test.model.requests) expect(rolesIn(request).lastIndexOf("system")).toBe(0);
    expectDone(test);
  });
});

describe("a provider's cache", () => {
  it("is marked in each request after the system text and the last two messages; without the marks it is the same request", async () => {
    const { echo } = echoTool();
    const script = [reply.toolCall("echo", { text: "a" }), reply.text("One."), reply.text("Two.")];
    const test = await start(script, { tools: { echo }, instructions: "Be kind.", scripted: anthropic, providerOptions: { anthropic: { effort: "low" } } });
    await test.session.prompt("1");
    await test.session.prompt("2");
    const marks = test.model.requests.map(({ prompt }) => prompt.map(({ providerOptions }) => (providerOptions === undefined ? "" : JSON.stringify(providerOptions))));
    const mark = '{"anthropic":{"cacheControl":{"type":"ephemeral"}}}';
    expect(marks).toEqual([[mark, mark], [mark, "", mark, mark], [mark, "", "", "", mark, mark]]);
    for (const request of test.model.requests) expect(request.providerOptions).toEqual({ anthropic: { effort: "low" } });
    const bare = test.model.requests.map(({ prompt }) => prompt.map(({ role, content }) => JSON.stringify({ role, content })));
    for (const [index, request] of bare.slice(1).entries()) expect(request.slice(0, bare[index]?.length)).toEqual(bare[index]);
    expectDone(test);
  });

  it("is left alone where the profile has no mark", async () => {
    const test = await start([reply.text("One.")], { instructions: "Be kind.", scripted: anthropic, profile: { ...modelProfiles.anthropic, cacheMark: undefined } });
    await test.session.prompt("1");
    expect(JSON.stringify(test.model.requests)).not.toContain("cacheControl");
    expectDone(test);
  });
});

it("where tools cannot be withheld by tool choice they are offered, and a call of one is refused", async () => {
  const { echo, runs } = echoTool();
  const script = [reply.toolCall("echo", { text: "a" }), reply.toolCall("echo", { text: "b" })];
  const test = await start(script, { tools: { echo }, maxSteps: 2, scripted: { provider: "amazon-bedrock", modelId: "us.anthropic.claude-sonnet-4-5" } });
  expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "limit" });
  expect(test.model.requests.map(({ toolChoice }) => toolChoice)).toEqual([{ type: "auto" }, { type: "auto" }]);
  expect(runs).toEqual(["a"]);
  expectDone(test);
});
