import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Agent, Session, SessionEvent, SessionEventType } from "throughline";
import { reply } from "throughline/testing";
import { foldEvents } from "../session/event-fold.ts";
import { echoTool, expectDone, start, type SessionUnderTest } from "../session/session-under-test.ts";

const moments = ["prompt.admitted", "prompt.promoted", "message.updated", "turn.started", "session.status", "session.updated", "step.started", "part.updated", "part.delta", "step.finished", "tool.started", "tool.finished", "turn.finished"] as const;

/** A session whose first prompt takes a call; the action is taken once, from inside the first event of that type. */
async function actingIn(moment: SessionEventType, act: (session: Session, agent: Agent) => unknown): Promise<SessionUnderTest & { acted: unknown[] }> {
  const { echo } = echoTool();
  const test = await start((_request, index) => (index === 0 ? [reply.text("Let me see."), reply.toolCall("echo", { text: "x" })] : reply.text("Done.")), { tools: { echo } });
  const acted: unknown[] = [];
  test.session.once(moment, () => acted.push(act(test.session, test.agent)));
  return { ...test, acted };
}

async function expectNothingOpen(session: Session): Promise<void> {
  for (const { info, parts } of await session.messages()) {
    if (info.role === "user") expect(info.outcome).toBeDefined();
    else expect(info.time.completed).toBeDefined();
    for (const part of parts) if (part.type === "tool") expect(["completed", "error"]).toContain(part.state.status);
  }
}

describe.each(moments)("from inside %s", (moment) => {
  it.each(["queue", "steer"] as const)("another prompt (%s) is answered, and no event is missing", async (delivery) => {
    const test = await actingIn(moment, (session) => session.prompt("More", { delivery }).settled);
    const { outcome } = await test.session.prompt("Hi").settled;
    expect([outcome, await test.acted[0]]).toEqual(["answered", expect.objectContaining({ outcome: "answered" })]);
    await test.session.queue();
    expect(foldEvents(test.events).messages).toEqual(await test.session.messages());
    expectDone(test);
  });

  it("an abort ends the turn with one outcome, and nothing stays open", async () => {
    const test = await actingIn(moment, (session) => session.abort());
    const turn = test.session.prompt("Hi");
    await test.clock.advance(1000);
    expect((await turn.settled).outcome).toBe(moment === "turn.finished" ? "answered" : "aborted");
    await Promise.all(test.acted);
    await expectNothingOpen(test.session);
    expectDone(test);
  });

  it.each<[string, SessionEventType, (session: Session, agent: Agent) => Promise<void>]>([
    ["session.close()", "session.closed", (session) => session.close()],
    ["agent.close()", "session.closed", (_session, agent) => agent.close()],
    ["session.remove()", "session.deleted", (session) => session.remove()],
  ])("%s ends it all, and is the last that is heard", async (_what, last, act) => {
    const test = await actingIn(moment, act);
    const types: string[] = [];
    test.agent.on("*", ({ type }) => types.push(type));
    const turn = test.session.prompt("Hi");
    await test.clock.advance(1000);
    await turn.settled;
    await Promise.all(test.acted);
    expect(types.at(-1)).toBe(last);
    expect(test.session.status).toEqual({ type: "idle" });
    expect(test.clock.pending()).toBe(0);
  });
});

describe("what listeners and callers get", () => {
  it("is frozen, so that nobody can change it for the others", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text("One"), reply.toolCall("echo", { text: "x" })], reply.text("Two")], { tools: { echo } });
    const result = await test.session.prompt("Hi");
    test.agent.on("*", (event) => test.events.push(event));
    await (await test.agent.session()).close();
    const events = test.events.map((event: SessionEvent): [string, unknown] => [event.type, event]);
    expect(new Set(test.events.map(({ type }) => type))).toContain("session.created");
    const rows = [...result.messages, ...(await test.session.messages())].flatMap(({ info, parts }) => [info, ...parts]);
    for (const [where, value] of [...events, ...rows.map((row): [string, unknown] => ["row", row]), ["info", test.session.info] as const]) expectFrozen(value, where);
  });

  it("is heard by each as it happened, whatever another one does to it", async () => {
    const test = await start([reply.text("One.")]);
    const heard: string[] = [];
    test.session.on("part.delta", (event) => {
      event.delta = "changed";
    });
    test.session.on("part.delta", ({ delta }) => heard.push(delta));
    const turn = test.session.prompt("Hi");
    for await (const event of turn) if (event.type === "part.delta") heard.push(event.delta);
    expect(heard).toEqual(["One.", "One."]);
    expect(test.problems).toEqual(['A listener of "part.delta" threw.']);
  });

  it.each<[string, ("on" | "once")[], number]>([
    ["once", ["once"], 1],
    ["twice for the next event", ["once", "once"], 1],
    ["for the next event and then for all", ["once", "on"], 3],
    ["for all and then for the next event", ["on", "once"], 3],
    ["twice for all", ["on", "on"], 3],
  ])("comes once an event to a listener that was registered %s", async (_how, ways, times) => {
    const test = await start(() => reply.text("Hi."));
    let count = 0;
    const listener = (): void => {
      count += 1;
    };
    for (const way of ways) test.session[way]("turn.finished", listener);
    for (let prompts = 0; prompts < 3; prompts += 1) await test.session.prompt("Hi");
    expect(count).toBe(times);
    test.session.off("turn.finished", listener);
    await test.session.prompt("Hi");
    expect(count).toBe(times);
    expect(() => test.session.off("turn.finish" as "turn.finished", listener)).toThrow(/off\.name: there is no event "turn\.finish"/);
  });

  it("carries its turn, from its start to its end", async () => {
    const { echo } = echoTool();
    const test = await start([[reply.text("One"), reply.toolCall("echo", { text: "x" })], reply.text("Two")], { tools: { echo } });
    const turn = test.session.prompt("Hi");
    await turn;
    const types = test.events.map(({ type }) => type);
    const within = test.events.slice(types.indexOf("turn.started"), types.indexOf("turn.finished") + 1);
    expect(new Set(within.map(({ turnID }) => turnID))).toEqual(new Set([turn.messageID]));
  });

  it("leaves nothing on a signal that many prompts share", async () => {
    const test = await start(() => reply.text("Hi."));
    const controller = new AbortController();
    for (let count = 0; count < 20; count += 1) await test.session.prompt("Hi", { abortSignal: controller.signal });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

function expectFrozen(value: unknown, where: string): void {
  if (typeof value !== "object" || value === null) return;
  expect(Object.isFrozen(value), where).toBe(true);
  for (const [key, inner] of Object.entries(value)) expectFrozen(inner, `${where}.${key}`);
}
