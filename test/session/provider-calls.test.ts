import { describe, expect, it } from "vitest";
import type { SessionEvent, ToolPart, WithParts } from "throughline";
import { reply } from "throughline/testing";
import { echoTool, eventsOfType, expectDone, nextEvent, start } from "./session-under-test.ts";

const search = { id: "search_1", providerExecuted: true } as const;

function callIn(messages: readonly WithParts[]): ToolPart | undefined {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))[0];
}

/** The story of each call's part: which events it had, in order. */
function pairs(events: readonly SessionEvent[]): Record<string, string[]> {
  const told: Record<string, string[]> = {};
  for (const event of events) if (event.type === "tool.started" || event.type === "tool.finished") (told[event.partID] ??= []).push(event.type);
  return told;
}

describe("a call that the provider runs", () => {
  it("starts when it is complete and finishes with its result, an event each", async () => {
    const test = await start([[reply.toolCall("web_search", { query: "x" }, { result: { hits: 1 } }), reply.text("Found.")]]);
    const { messages } = await test.session.prompt("Hi");
    const call = callIn(messages);
    expect(pairs(test.events)).toEqual({ [String(call?.id)]: ["tool.started", "tool.finished"] });
    expect(eventsOfType(test.events, "tool.started")).toMatchObject([{ tool: "web_search", input: { query: "x" } }]);
    expect(eventsOfType(test.events, "tool.finished")).toMatchObject([{ tool: "web_search", status: "completed" }]);
    expectDone(test);
  });

  it("finishes, too, when its result comes in a later message, or with an earlier message's call", async () => {
    const late = reply.chunks([{ type: "tool-result", toolCallId: "search_1", toolName: "web_search", result: { hits: 1 } }]);
    const { echo } = echoTool();
    const test = await start([[reply.toolCall("web_search", {}, search), reply.toolCall("echo", { text: "a" })], [late, reply.text("Found.")]], { tools: { echo }, scripted: { provider: "anthropic.messages" } });
    await test.session.prompt("Hi");
    const told = Object.values(pairs(test.events));
    expect(told).toHaveLength(3);
    for (const events of told) expect(events).toEqual(["tool.started", "tool.finished"]);
    expectDone(test);
  });

  it("of which the stream was cut was started there: its outcome is unknown", async () => {
    const test = await start([[reply.toolCall("web_search", { query: "x" }, search), reply.cut()]]);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "tool.started");
    const { messages } = await turn.settled;
    const call = callIn(messages);
    expect(call?.state).toMatchObject({ status: "error", input: { query: "x" }, error: expect.stringContaining("outcome is unknown") as string });
    expect(call?.state).not.toHaveProperty("neverRan");
    expect(Object.values(pairs(test.events))).toEqual([["tool.started", "tool.finished"]]);
    expect(eventsOfType(test.events, "tool.finished")).toMatchObject([{ status: "error" }]);
  });

  it("that was cut by an abort has run for as long as it has", async () => {
    const test = await start([[reply.toolCall("web_search", { query: "x" }, search), reply.stall()]]);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "tool.started");
    await test.clock.advance(1500);
    await turn.abort();
    expect(callIn((await turn.settled).messages)?.state).toMatchObject({ error: expect.stringContaining("outcome is unknown") as string });
    expect(eventsOfType(test.events, "tool.finished")).toMatchObject([{ durationMs: 1500 }]);
  });

  it("that waits for leave has not been started", async () => {
    const ask = reply.chunks([{ type: "tool-approval-request", approvalId: "ask_1", toolCallId: "search_1" }]);
    const test = await start([[reply.toolCall("web_search", {}, search), ask, reply.error(new Error("socket closed"), { inStream: "part" })]]);
    const { messages } = await test.session.prompt("Hi").settled;
    expect(callIn(messages)?.state).toMatchObject({ neverRan: true, error: expect.stringContaining("was not run") as string });
  });
});

describe("a call of which the turn was aborted on hearing that it is about to run", () => {
  it("never ran, and its result says so", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" })], { tools: { echo } });
    test.session.on("tool.started", () => void test.session.abort());
    const { outcome, messages } = await test.session.prompt("Hi").settled;
    expect(outcome).toBe("aborted");
    expect(runs).toEqual([]);
    expect(callIn(messages)?.state).toMatchObject({ neverRan: true, error: expect.stringContaining("aborted before it started") as string });
    expect(Object.values(pairs(test.events))).toEqual([["tool.started", "tool.finished"]]);
    expectDone(test);
  });
});

describe("the arguments of a call that is refused", () => {
  it.each([
    ["{}", undefined],
    ["{ }", undefined],
    ["[1]", "[1]"],
    ["{broken", "{broken"],
  ])("%s are kept as text only when they are no JSON object", async (raw, kept) => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", raw), reply.text("Sorry.")], { tools: { echo } });
    const { messages } = await test.session.prompt("Hi");
    const state = callIn(messages)?.state;
    expect(state).toMatchObject({ status: "error", input: {} });
    expect(state !== undefined && "raw" in state ? state.raw : undefined).toBe(kept);
    expectDone(test);
  });
});
