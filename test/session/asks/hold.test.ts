import { describe, expect, it } from "vitest";
import { AskNotFoundError, ConflictError, InvalidArgumentError } from "throughline";
import type { AskReply } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { eventsOfType, expectDone, nextEvent, resultsIn, start, story, textsIn } from "../session-under-test.ts";
import { askAll, askStory, bashTool, callStates, nextAsk, nextAsks, openAsk } from "./asked.ts";

const call = (command: string) => reply.toolCall("bash", { command });

describe("a call that is to be asked about", () => {
  it("waits as a row, and runs once it is allowed", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("git push"), reply.text("Pushed.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Push.");
    const ask = await nextAsk(test.session);
    expect(ask).toEqual({
      id: ask.id,
      sessionID: test.session.id,
      rootID: test.session.id,
      messageID: ask.messageID,
      partID: ask.partID,
      callID: "call_1",
      permission: "bash",
      patterns: ["git push"],
      always: ["git push"],
      tool: "bash",
      input: { command: "git push" },
      title: "bash: git push",
      status: "open",
      time: { created: test.clock.now() },
    });
    expect(runs).toEqual([]);
    expect(test.session.status).toEqual({ type: "waiting" });
    expect(await test.session.asks()).toEqual([ask]);
    expect(await test.agent.asks()).toEqual([ask]);
    expect(await callStates(test.session)).toEqual(["pending"]);

    await test.session.reply(ask.id, { decision: "once" });
    expect(await turn).toMatchObject({ outcome: "answered", text: "Pushed." });
    expect(runs).toEqual(["git push"]);
    expect(await test.session.asks()).toEqual([]);
    expect(test.session.info.permission).toEqual([]);
    expectDone(test);
  });

  it("is not announced as running before it is allowed", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    await test.clock.advance(5_000);
    await test.session.reply(ask.id, { decision: "once" });
    await turn;
    const told = story(test.events).filter((type) => /^(ask|tool|step|session.status)/.test(type));
    expect(told).toEqual(["session.status", "session.status", "step.started", "step.finished", "ask.created", "ask.replied", "session.status", "tool.started", "tool.finished", "step.started", "step.finished", "session.status"]);
    const statuses = eventsOfType(test.events, "part.updated").flatMap(({ part }) => (part.type === "tool" ? [part.state.status] : []));
    expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual(["pending", "running", "completed"]);
    const [part] = (await test.session.messages()).flatMap(({ parts }) => parts.filter((candidate) => candidate.type === "tool"));
    expect(part?.state).toMatchObject({ time: { start: test.clock.now() } });
    expectDone(test);
  });

  it("is stored with its ask in one commit, and a step without one takes no more commits than before", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const { ask, seq } = await nextEvent(test.session, "ask.created");
    const { changes } = await test.storage.changes(test.session.id, { after: seq - 1 });
    expect(changes.map(({ type }) => type)).toContain("ask");
    expect(changes.flatMap((change) => (change.type === "part" && change.part.type === "tool" ? [change.part.state] : []))).toEqual([{ status: "pending", input: { command: "ls" }, raw: '{"command":"ls"}' }]);
    await test.session.reply(ask.id, { decision: "once" });
    await turn;
    expectDone(test);
  });

  it("waits for hours, and no time limit strikes", async () => {
    const { bash } = bashTool({ timeoutMs: 1_000 });
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    for (let hour = 0; hour < 12; hour += 1) await test.clock.advance(3_600_000);
    expect(test.session.status).toEqual({ type: "waiting" });
    await test.session.reply(ask.id, { decision: "once" });
    expect(await turn).toMatchObject({ outcome: "answered", toolErrors: [] });
    expectDone(test);
  });

  it("holds no turn slot while it waits, and takes one again to run", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), reply.text("Other."), reply.text("Done.")], { tools: { bash }, permissions: askAll, concurrency: { turns: 1 } });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    const other = await test.agent.session();
    expect(await other.prompt("Hi")).toMatchObject({ text: "Other." });
    await test.session.reply(ask.id, { decision: "once" });
    expect(await turn).toMatchObject({ text: "Done." });
    expect(runs).toEqual(["ls"]);
    expectDone(test);
  });

  it("holds no tool slot while it waits", async () => {
    const { bash, runs } = bashTool();
    const permissions = [{ permission: "bash", pattern: "ask*", action: "ask" } as const];
    const test = await start([[call("ask 1"), call("ask 2"), call("ls 1"), call("ls 2")].flat(), reply.text("Done.")], { tools: { bash }, permissions, concurrency: { tools: 1 } });
    const turn = test.session.prompt("Hi");
    const asked = nextAsks(test.session, 2);
    const settled = nextEvent(test.session, "tool.finished", ({ callID }) => callID === "call_4");
    const asks = await asked;
    await settled;
    expect(runs).toEqual(["ls 1", "ls 2"]);
    for (const { id } of asks) await test.session.reply(id, { decision: "once" });
    await turn;
    expect(runs).toEqual(["ls 1", "ls 2", "ask 1", "ask 2"]);
    expectDone(test);
  });
});

describe("a rejection", () => {
  it("without a message ends the turn, and the next prompt is answered", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("rm -r /"), reply.text("Next.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    const queued = test.session.prompt("Next?");
    await queued.accepted;
    await test.session.reply(ask.id, { decision: "reject" });
    expect(await turn).toMatchObject({ outcome: "rejected", toolErrors: [{ tool: "bash", error: expect.stringContaining("a person rejected this call") as string }] });
    // What waits runs without anybody's help.
    expect(await queued).toMatchObject({ outcome: "answered", text: "Next." });
    expect(runs).toEqual([]);
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "error-text", expect.stringContaining("rejected")]]);
    expectDone(test);
  });

  it("with a message is read by the model, which goes on", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("rm -r /"), reply.text("I list it, then.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    await test.session.reply((await nextAsk(test.session)).id, { decision: "reject", message: "List it first." });
    expect(await turn).toMatchObject({ outcome: "answered" });
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toContain("and said: List it first.");
    expect(runs).toEqual([]);
    expectDone(test);
  });

  it.each<[AskReply, "stop" | "continue", string, number]>([
    [{ decision: "reject" }, "continue", "answered", 2],
    [{ decision: "reject", message: "No." }, "continue", "answered", 2],
    [{ decision: "reject", message: "No." }, "stop", "rejected", 1],
    [{ decision: "reject" }, "stop", "rejected", 1],
  ])("%o with onReject %s: the turn is %s", async (answer, onReject, outcome, calls) => {
    const { bash } = bashTool();
    const test = await start([call("ls"), ...(calls === 2 ? [reply.text("Done.")] : [])], { tools: { bash }, permissions: askAll, asks: { onReject } });
    const turn = test.session.prompt("Hi");
    await test.session.reply((await nextAsk(test.session)).id, answer);
    expect(await turn).toMatchObject({ outcome });
    expectDone(test);
  });

  it("of one of several is for that one: the others run, then the turn ends", async () => {
    const { bash, runs } = bashTool();
    const test = await start([[call("a"), call("b"), call("c")].flat()], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const [a, b, c] = await nextAsks(test.session, 3);
    await test.session.reply(b?.id ?? "", { decision: "reject" });
    await test.clock.advance(0);
    expect((await test.session.asks()).map(({ id }) => id)).toEqual([a?.id, c?.id]);
    await test.session.reply(c?.id ?? "", { decision: "once" });
    await test.session.reply(a?.id ?? "", { decision: "once" });
    expect(await turn).toMatchObject({ outcome: "rejected" });
    expect(runs).toEqual(["c", "a"]);
    expect(await callStates(test.session)).toEqual(["completed", "error", "completed"]);
    expectDone(test);
  });

  it("lets a prompt that steers have a turn of its own", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Own turn.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    const steered = test.session.prompt("Also", { delivery: "steer" });
    await steered.accepted;
    await test.session.reply(ask.id, { decision: "reject" });
    expect(await turn).toMatchObject({ outcome: "rejected" });
    expect(await steered).toMatchObject({ text: "Own turn." });
    expectDone(test);
  });
});

describe("a reply", () => {
  it("counts once: the second is refused with what is there", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    const replies = await Promise.allSettled([test.session.reply(id, { decision: "once" }), test.session.reply(id, { decision: "reject" })]);
    expect(replies.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    const refused: unknown = replies[1].status === "rejected" ? replies[1].reason : undefined;
    expect(refused).toBeInstanceOf(ConflictError);
    expect(refused).toMatchObject({ existing: { id, reply: { decision: "once" } } });
    await turn;
    await expect(test.session.reply(id, { decision: "reject" })).rejects.toThrow(/was answered before/);
    expect(runs).toEqual(["ls"]);
    expect(askStory(test.events)).toEqual(["ask.created ls", "ask.replied ls once"]);
    expectDone(test);
  });

  it("to no ask, or that is none, is refused", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    await expect(test.session.reply("ask_none", { decision: "once" })).rejects.toThrow(AskNotFoundError);
    for (const wrong of [undefined, "once", { decision: "yes" }, { decision: "once", message: "ok" }, { decision: "reject", message: 5 }, { decision: "answer" }, { decision: "answer", answers: 1n }, { decision: "answer", answers: 1 }, { decision: "once", extra: 1 }]) {
      await expect(test.session.reply(id, wrong as AskReply), "it is no reply").rejects.toThrow(InvalidArgumentError);
    }
    expect(await openAsk(test.session)).toMatchObject({ id });
    await test.session.reply(id, { decision: "once" });
    await turn;
    expectDone(test);
  });

  it("comes after the row it is about, and reaches the agent's listeners", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const heard: string[] = [];
    test.agent.on("*", (event) => { if (event.type.startsWith("ask.")) heard.push(event.type); });
    test.agent.on("ask.created", ({ ask }) => { void test.session.reply(ask.id, { decision: "once" }); });
    await test.session.prompt("Hi");
    expect(heard).toEqual(["ask.created", "ask.replied"]);
    const [replied] = eventsOfType(test.events, "ask.replied");
    expect(replied).toMatchObject({ ask: { status: "replied", reply: { decision: "once" } }, reply: { decision: "once" } });
    expectDone(test);
  });
});

describe("always", () => {
  it("saves what it showed, for this session and no other", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls *"), call("ls *"), call("ls x"), reply.text("Done."), call("ls *"), reply.text("Other.")], { tools: { bash }, permissions: askAll });
    test.agent.on("ask.created", ({ ask }) => {
      if (ask.patterns[0] === "ls *" && ask.sessionID === test.session.id) void test.session.reply(ask.id, { decision: "always" });
    });
    const turn = test.session.prompt("Hi");
    const { ask } = await nextEvent(test.session, "ask.created", (event) => event.ask.patterns[0] === "ls x");
    // A star that was typed is no wildcard.
    expect(runs).toEqual(["ls *", "ls *"]);
    expect(test.session.info.permission).toEqual([{ permission: "bash", pattern: "ls [*]", action: "allow" }]);
    await test.session.reply(ask.id, { decision: "reject", message: "No." });
    await turn;
    expect((await test.storage.getSession(test.session.id))?.permission).toEqual(test.session.info.permission);
    const other = await test.agent.session();
    const second = other.prompt("Hi");
    const asked = await nextAsk(other);
    await other.reply(asked.id, { decision: "once" });
    await second;
    expectDone(test);
  });

  it("answers the other open asks that it allows, with an event, and no others", async () => {
    const { bash, runs } = bashTool();
    const test = await start([[call("a"), call("b"), call("a")].flat(), reply.text("Done.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const [first, second] = await nextAsks(test.session, 3);
    await test.session.reply(first?.id ?? "", { decision: "always" });
    await nextEvent(test.session, "tool.finished", ({ callID }) => callID === "call_3");
    expect(runs).toEqual(["a", "a"]);
    expect((await test.session.asks()).map(({ id }) => id)).toEqual([second?.id]);
    await test.session.reply(second?.id ?? "", { decision: "once" });
    await turn;
    expect(askStory(test.events)).toEqual(["ask.created a", "ask.created b", "ask.created a", "ask.replied a always", "ask.replied a once", "ask.replied b once"]);
    expectDone(test);
  });

  it("never allows what is denied", async () => {
    const { bash, runs } = bashTool();
    let denies = false;
    const test = await start([call("ls"), call("ls"), reply.text("Done.")], { tools: { bash }, permissions: () => (denies ? "deny" : "ask") });
    test.session.on("ask.created", ({ ask }) => { void test.session.reply(ask.id, { decision: "always" }); });
    test.session.on("tool.started", () => { denies = true; });
    await test.session.prompt("Hi");
    expect(runs).toEqual(["ls"]);
    expect(resultsIn(test.model.requests[2])[1]?.[2]).toContain("not permitted");
    expectDone(test);
  });

  it.each(["once", "always"] as const)("given while it waits (%s) does not run what is denied by then", async (decision) => {
    const { bash, runs } = bashTool();
    let action: "ask" | "deny" = "ask";
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: () => action });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    action = "deny";
    await test.session.reply(id, { decision });
    expect(await turn).toMatchObject({ outcome: "answered", toolErrors: [{ error: expect.stringContaining("not permitted") as string }] });
    expect(runs).toEqual([]);
    expectDone(test);
  });

  it("shows and saves the wider rules that a tool names", async () => {
    const { bash, runs } = bashTool();
    const wide = { ...bash, permission: ({ command }: { command: string }) => ({ patterns: [command], always: ["git *"], title: "Use git", impact: "Writes", diff: "+1" }) };
    const test = await start([call("git log"), call("git push"), reply.text("Done.")], { tools: { bash: wide }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    expect(ask).toMatchObject({ patterns: ["git log"], always: ["git *"], title: "Use git", impact: "Writes", diff: "+1" });
    await test.session.reply(ask.id, { decision: "always" });
    await turn;
    expect(runs).toEqual(["git log", "git push"]);
    expectDone(test);
  });
});

describe("an ask that nobody answers", () => {
  it("in time counts as rejected", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll, asks: { timeoutMs: 60_000 } });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    expect(ask.expires).toBe(test.clock.now() + 60_000);
    await test.clock.advance(60_000);
    expect(await turn).toMatchObject({ outcome: "rejected", toolErrors: [{ error: expect.stringContaining("nobody answered in time") as string }] });
    await expect(test.session.reply(ask.id, { decision: "once" })).rejects.toThrow(ConflictError);
    expect(runs).toEqual([]);
    expect(askStory(test.events)).toEqual(["ask.created ls", "ask.replied ls reject"]);
    expectDone(test);
  });

  it("says so also when the clock was put back while it waited", async () => {
    const clock = manualClock(1_700_000_000_000);
    let backMs = 0;
    const { bash, runs } = bashTool();
    const test = await start([call("ls")], { clock: Object.assign(Object.create(clock) as typeof clock, { now: () => clock.now() - backMs }), tools: { bash }, permissions: askAll, asks: { timeoutMs: 5_000 } });
    const turn = test.session.prompt("Hi");
    await nextAsk(test.session);
    backMs = 3_600_000;
    await clock.advance(5_000);
    expect(await turn).toMatchObject({ outcome: "rejected", toolErrors: [{ error: expect.stringContaining("nobody answered in time") as string }] });
    expect(runs).toEqual([]);
  });

  it("is refused at once where nobody is there to ask, and the model goes on", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls"), reply.text("Done.")], { tools: { bash }, permissions: askAll, asks: { timeoutMs: 0 } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "answered" });
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "error-text", expect.stringContaining("nobody can be asked here")]]);
    expect(askStory(test.events)).toEqual([]);
    expectDone(test);
  });

  it("is closed with its turn when that is aborted", async () => {
    const { bash, runs } = bashTool();
    const test = await start([call("ls"), reply.text("Next.")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    await test.session.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted", toolErrors: [{ error: expect.stringContaining("aborted before it started") as string }] });
    expect(await test.session.asks()).toEqual([]);
    await expect(test.session.reply(ask.id, { decision: "once" })).rejects.toThrow(/was closed/);
    expect(askStory(test.events)).toEqual(["ask.created ls", "ask.closed ls"]);
    expect(await test.session.prompt("Next")).toMatchObject({ text: "Next." });
    expect(textsIn(test.model.requests[1])).toContain("user: Next");
    expect(runs).toEqual([]);
    expectDone(test);
  });

  it("goes with its session", async () => {
    const { bash } = bashTool();
    const test = await start([call("ls")], { tools: { bash }, permissions: askAll });
    const turn = test.session.prompt("Hi");
    await nextAsk(test.session);
    await test.session.remove();
    expect(await turn.settled).toMatchObject({ outcome: "aborted" });
    expect(await test.agent.asks()).toEqual([]);
    expectDone(test);
  });
});
