import { expect, it } from "vitest";
import { createAgent, LeaseLostError, memoryStorage } from "throughline";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import { intercepted } from "../../adversarial/faulty-storage.ts";
import { gatedTool, nextEvent, resultsIn } from "../session-under-test.ts";
import { sharedStore } from "./crash.ts";

const ttlMs = 8000;

it("an owner that cannot renew its lease stops before the lease ends: its tools are aborted, and nothing more is published", async () => {
  const clock = manualClock(1_700_000_000_000);
  const storage = memoryStorage({ clock });
  let cutOff = false;
  const seen = intercepted(storage, (method, next) => (cutOff && method === "acquireLease" ? Promise.reject(new Error("unreachable")) : next()));
  const { gate, whenStarted, signals } = gatedTool();
  const session = await createAgent({ model: strictModel(scriptedModel([reply.toolCall("gate", { name: "a" })])), storage: seen, clock, tools: { gate }, leases: { ttlMs } }).session({ id: "thread" });
  const turn = session.prompt("Go", { id: "p" });
  await whenStarted("a");
  cutOff = true;
  await clock.advance(ttlMs / 2);
  expect(signals[0]?.aborted).toBe(false);
  const events: string[] = [];
  session.on("*", ({ type }) => events.push(type));
  await clock.advance(ttlMs / 4 + 1);
  expect(signals[0]?.aborted).toBe(true);
  expect(await storage.acquireLease("thread", "somebody else", 1)).toBeUndefined();
  const failure = turn.then(() => undefined, (error: unknown) => error);
  await clock.advance(1000);
  expect(await failure).toBeInstanceOf(LeaseLostError);
  expect(events).toEqual(["session.status"]);
  const { items } = await storage.listMessages("thread");
  expect(items.find(({ info }) => info.id === "p")?.info).not.toHaveProperty("outcome");
});

it("a new owner takes over, and what the old one does later changes nothing", async () => {
  const store = sharedStore();
  const old = gatedTool();
  let paused = false;
  const seen = intercepted(store.storage, (method, next) => (paused && method === "acquireLease" ? new Promise(() => undefined) : next()));
  const first = await createAgent({ model: strictModel(scriptedModel([reply.toolCall("gate", { name: "a" }), reply.text("Old.")])), storage: seen, clock: store.clock, tools: { gate: old.gate } }).session({ id: "thread" });
  const turn = first.prompt("Go", { id: "p" });
  await old.whenStarted("a");
  paused = true;
  const second = await store.start([reply.text("New.")], { tools: { gate: gatedTool().gate } });
  const resumed = second.session.resume();
  void turn.settled;
  await store.clock.advance(32_000);
  old.open("a", "too late");
  expect((await resumed).text).toBe("New.");
  expect(resultsIn(second.model.requests[0])[0]?.[2]).toContain("outcome is unknown");
  expect(await turn.then(() => undefined, (error: unknown) => error)).toBeInstanceOf(LeaseLostError);
  expect(JSON.stringify(await second.session.messages())).not.toContain("too late");
});

it("a prompt that waits behind a process that dies runs when its lease is over", async () => {
  const store = sharedStore();
  const first = await store.start([reply.stall()]);
  first.session.prompt("1", { id: "a" });
  await nextEvent(first.session, "step.started");
  const second = await store.start([reply.text("Two.")]);
  const turn = second.session.prompt("2", { id: "b" });
  await store.clock.advance(40_000);
  expect((await turn).text).toBe("Two.");
});
