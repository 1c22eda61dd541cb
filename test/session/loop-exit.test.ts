import { describe, expect, it } from "vitest";
import type { TurnResult } from "throughline";
import { reply, type Reply, type ReplyFinish } from "throughline/testing";
import { echoTool, expectDone, nextEvent, resultsIn, rolesIn, start } from "./session-under-test.ts";

async function resultOf(script: readonly Reply[]): Promise<{ result: TurnResult; runs: string[]; last: ReturnType<typeof resultsIn>; roles: string[] }> {
  const { echo, runs } = echoTool();
  const test = await start(script, { tools: { echo } });
  const result = await test.session.prompt("Hi").settled;
  expectDone(test);
  return { result, runs, last: resultsIn(test.model.requests.at(-1)), roles: rolesIn(test.model.requests.at(-1)) };
}

describe("the loop continues", () => {
  it.each<ReplyFinish>(["tool-calls", "stop"])("after calls whatever the finish says, here %s", async (finish) => {
    const { result, runs, last } = await resultOf([[reply.toolCall("echo", { text: "a" }), reply.finish(finish)], reply.text("Done.")]);
    expect(runs).toEqual(["a"]);
    expect(last).toEqual([["call_1", "text", "echo: a"]]);
    expect(result).toMatchObject({ outcome: "answered", text: "Done.", steps: 2 });
  });

  it("as long as there are results that the model has not seen", async () => {
    const { result, runs, roles } = await resultOf([
      reply.toolCall("echo", { text: "a" }),
      [reply.text("More."), reply.toolCall("echo", { text: "b" })],
      reply.toolCall("echo", { text: "c" }),
      reply.text("Done."),
    ]);
    expect(runs).toEqual(["a", "b", "c"]);
    expect(result.steps).toBe(4);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant", "tool"]);
  });

  it("after a call of a tool that does not exist: the error goes to the model", async () => {
    const { result, last } = await resultOf([reply.toolCall("nope"), reply.text("Sorry.")]);
    expect(last).toMatchObject([["call_1", "error-text", expect.stringContaining("There is no tool named")]]);
    expect(result.outcome).toBe("answered");
  });
});

describe("the loop ends", () => {
  it.each<ReplyFinish>(["stop", "other", "tool-calls"])("as answered when there is text and no call, with finish %s", async (finish) => {
    const { result } = await resultOf([reply.text("Hello!", { finish })]);
    expect(result).toMatchObject({ outcome: "answered", text: "Hello!", steps: 1 });
  });

  it.each<ReplyFinish>(["stop", "other", "tool-calls"])("with the error `empty` when the model says nothing, with finish %s", async (finish) => {
    const { result } = await resultOf([[reply.finish(finish)]]);
    expect(result).toMatchObject({ outcome: "error", error: { code: "empty" }, steps: 1 });
  });

  it.each<[string, Reply]>([
    ["reasoning only", reply.reasoning("Hm.")],
    ["blank text", reply.text(" \n")],
  ])("with the error `empty` for %s: that is no answer", async (_what, said) => {
    expect((await resultOf([said])).result).toMatchObject({ outcome: "error", error: { code: "empty" } });
  });

  it("as answered when the model made a file and said nothing", async () => {
    expect((await resultOf([reply.file("image/png", "iVBORw0KGgo=")])).result).toMatchObject({ outcome: "answered", text: "" });
  });

  it("as a limit when the answer was cut by the output limit, with its text", async () => {
    const { result } = await resultOf([reply.text("Once upon a ti", { finish: "length" })]);
    expect(result).toMatchObject({ outcome: "limit", text: "Once upon a ti", error: { code: "length" } });
  });

  it("as an error by the content filter, though text came", async () => {
    const { result } = await resultOf([reply.text("How to", { finish: "content-filter" })]);
    expect(result).toMatchObject({ outcome: "error", error: { code: "content-filter" }, text: "How to" });
  });

  it("as an error when the stream ends without a finish", async () => {
    const { result } = await resultOf([[reply.text("Half"), reply.cut()]]);
    expect(result).toMatchObject({ outcome: "error", text: "Half", error: { code: "truncated-stream", retryable: true } });
  });

  it("as an error by an error part, though the stream goes on", async () => {
    const { result } = await resultOf([[reply.text("Half"), reply.error({ error: { message: "overloaded" } }, { inStream: "part" }), reply.text(" more")]]);
    expect(result).toMatchObject({ outcome: "error", text: "Half", error: { message: "overloaded" } });
  });
});

describe("calls of a step that did not end cleanly", () => {
  it("are not run when the output limit cut the message, and the model is told why", async () => {
    const { result, runs, last } = await resultOf([[reply.toolCall("echo", { text: "half" }), reply.finish("length")], reply.text("I will be brief.")]);
    expect(runs).toEqual([]);
    expect(last).toMatchObject([["call_1", "error-text", expect.stringContaining("output limit")]]);
    expect(result).toMatchObject({ outcome: "answered", toolErrors: [{ callID: "call_1", tool: "echo" }] });
  });

  it("are not run when their JSON was cut either", async () => {
    const { runs, last } = await resultOf([[reply.toolCall("echo", '{"text":"ha'), reply.finish("length")], reply.text("I will be brief.")]);
    expect(runs).toEqual([]);
    expect(last).toMatchObject([["call_1", "error-text", expect.stringContaining("output limit")]]);
  });

  it("are not run when it ended for a reason of its own, and the model goes on", async () => {
    const { result, runs, last } = await resultOf([[reply.toolCall("echo", { text: "a" }), reply.finish("other")], reply.text("Done.")]);
    expect(runs).toEqual([]);
    expect(last).toMatchObject([["call_1", "error-text", expect.stringContaining("did not end normally")]]);
    expect(result.outcome).toBe("answered");
  });

  it.each<[string, Reply]>([
    ["the stream broke", [reply.toolCall("echo", { text: "a" }), reply.error(new Error("reset"))]],
    ["the stream was cut", [reply.toolCall("echo", { text: "a" }), reply.cut()]],
    ["an error part came", [reply.toolCall("echo", { text: "a" }), reply.error(new Error("part"), { inStream: "part" })]],
    ["the content filter hit", [reply.toolCall("echo", { text: "a" }), reply.finish("content-filter")]],
  ])("are closed without having run when %s, so that the next prompt can be sent", async (_what, said) => {
    const { echo, runs } = echoTool();
    const test = await start([said, reply.text("Fine.")], { tools: { echo } });
    const failed = await test.session.prompt("Hi").settled;
    expect(failed.outcome).toBe("error");
    expect(runs).toEqual([]);
    expect(failed.messages[0]?.parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : []))).toEqual(["error"]);
    expect(await test.session.prompt("Again")).toMatchObject({ outcome: "answered" });
    expectDone(test);
  });

  it("are closed when their arguments never end: the idle limit ends the call", async () => {
    const { echo, runs } = echoTool();
    const test = await start([[reply.toolCall("echo", { text: "abc" }, { chunks: 3 }), reply.stall({ afterChunks: 1 })], reply.text("Fine.")], { tools: { echo } });
    const turn = test.session.prompt("Hi").settled;
    await nextEvent(test.session, "part.updated", ({ part }) => part.type === "tool");
    await test.clock.advance(120_000);
    expect(await turn).toMatchObject({ outcome: "error", error: { code: "timeout" } });
    expect(runs).toEqual([]);
    expect(test.session.status).toEqual({ type: "idle" });
    expect(await test.session.prompt("Again")).toMatchObject({ outcome: "answered" });
    expectDone(test);
  });
});

describe("the loop does not care", () => {
  it.each<[string, number]>([
    ["steps back", 0],
    ["jumps ahead", 2_000_000_000_000],
  ])("about a clock that stands still, and then %s in the middle of a turn", async (_what, now) => {
    const { echo } = echoTool();
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("One."), reply.toolCall("echo", { text: "b" }), reply.text("Two.")], { tools: { echo } });
    expect((await test.session.prompt("1")).text).toBe("One.");
    test.session.once("tool.started", () => {
      test.clock.set(now);
    });
    expect((await test.session.prompt("2")).text).toBe("Two.");
    const messages = await test.session.messages();
    expect(messages.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant", "user", "assistant", "assistant"]);
    expect(messages.map(({ info }) => info.position)).toEqual([1, 2, 3, 4, 5, 6]);
    expectDone(test);
  });

  it("about the order of ids, the caller's or its own", async () => {
    let count = 1000;
    const test = await start([reply.text("One."), reply.text("Two."), reply.text("Three.")], { ids: (prefix) => `${prefix}_${(count -= 1)}` });
    for (const id of ["zzz", "msg_0", "aaa"]) await test.session.prompt(`I am ${id}`, { id });
    const messages = await test.session.messages();
    expect(messages.map(({ info }) => (info.role === "user" ? info.id : info.parentID))).toEqual(["zzz", "zzz", "msg_0", "msg_0", "aaa", "aaa"]);
    expectDone(test);
  });
});

describe("a call in the stream", () => {
  it("may get its name only at its end", async () => {
    const { echo, runs } = echoTool();
    const test = await start(
      [
        [
          reply.chunks([
            { type: "tool-input-start", id: "a", toolName: "" },
            { type: "tool-input-delta", id: "a", delta: '{"text":"x"}' },
            { type: "tool-input-end", id: "a" },
            { type: "tool-call", toolCallId: "a", toolName: "echo", input: '{"text":"x"}' },
          ]),
        ],
        reply.text("Done."),
      ],
      { tools: { echo } },
    );
    const { messages } = await test.session.prompt("Hi");
    expect(runs).toEqual(["x"]);
    expect(messages[0]?.parts.flatMap((part) => (part.type === "tool" ? [[part.callID, part.tool]] : []))).toEqual([["a", "echo"]]);
    expectDone(test);
  });

  it("may be followed by text, or stand beside blank text: the next request is legal and loses nothing", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text(" \n"), reply.toolCall("echo", { text: "a" }), reply.text("meanwhile")], reply.text("Done.")], { tools: { echo } });
    await test.session.prompt("Hi");
    expect(JSON.stringify(test.model.requests[1]?.prompt)).toContain("meanwhile");
    expectDone(test);
  });
});
