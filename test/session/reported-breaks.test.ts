import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import { createAgent, memoryStorage, StorageError } from "throughline";
import { faultyStorage, manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import { callStates } from "./asks/asked.ts";
import { sharedStore } from "./recovery/crash.ts";
import { echoTool, gatedTool, nextEvent, resultsIn, start, textsIn } from "./session-under-test.ts";

it("R94, anomalyco/opencode#19023: after a crash in a tool the next prompt finds everything closed, and the tool does not run again", async () => {
  const store = sharedStore();
  const { gate, started, whenStarted } = gatedTool();
  const first = await store.start([[reply.text("Let me look."), reply.toolCall("gate", { name: "a" })].flat()], { tools: { gate } });
  first.session.prompt("One", { id: "one" }).catch(() => undefined);
  await whenStarted("a");
  await store.crash();
  const second = await store.start([reply.text("Two it is.")], { tools: { gate } });
  expect((await second.agent.sessions()).items).toMatchObject([{ id: "thread" }]);
  expect(await second.session.prompt("Two")).toMatchObject({ outcome: "answered", text: "Two it is." });
  expect(await callStates(second.session)).toEqual(["error"]);
  const messages = await second.session.messages();
  expect(messages[0]?.info).toMatchObject({ id: "one", outcome: { type: "aborted" } });
  expect(messages[1]?.info).toMatchObject({ error: { code: "interrupted" }, time: { completed: expect.any(Number) as number } });
  expect(started).toEqual(["a"]);
  expect(resultsIn(second.model.requests[0])).toEqual([[expect.any(String), "error-text", expect.stringContaining("outcome is unknown")]]);
  expect(second.model.violations).toEqual([]);
});

it("R94, anomalyco/opencode#19023: after a crash in a text the next prompt finds it closed, with what had come", async () => {
  const store = sharedStore();
  const first = await store.start([[reply.text("Half of it"), reply.stall()]]);
  first.session.prompt("One").catch(() => undefined);
  await nextEvent(first.session, "part.delta");
  // Within that time it is stored.
  await store.clock.advance(250);
  await store.crash();
  const second = await store.start([reply.text("Two it is.")]);
  expect(await second.session.prompt("Two")).toMatchObject({ text: "Two it is." });
  const [, cut] = await second.session.messages();
  expect(cut).toMatchObject({ info: { error: { code: "interrupted" }, time: { completed: expect.any(Number) as number } } });
  expect(cut?.parts.find(({ type }) => type === "text")).toMatchObject({ text: "Half of it", time: { end: expect.any(Number) as number } });
  expect(textsIn(second.model.requests[0])).toContain("assistant: Half of it");
  expect(second.model.violations).toEqual([]);
});

it("R183, anomalyco/opencode#7607: a disk that is full from any commit of a turn on is an error, and what was written before is there", async () => {
  const clock = manualClock(1_700_000_000_000);
  const { echo } = echoTool();
  let fullFrom = 2;
  for (let commits = fullFrom; fullFrom <= commits; fullFrom += 1) {
    const memory = memoryStorage({ clock });
    let count = 0;
    const storage = faultyStorage(memory, {
      faults: ({ method }) => {
        if (method === "commit") count += 1;
        return method === "commit" && count >= fullFrom ? { type: "full" } : undefined;
      },
    });
    const agent = createAgent({ model: scriptedModel([[reply.text("Looking."), reply.toolCall("echo", { text: "a" })].flat(), reply.text("Done.")]), clock, storage, tools: { echo } });
    const session = await agent.session({ id: "thread" });
    const turn = session.prompt("One", { id: "one" });
    turn.catch(() => undefined);
    let settled = false;
    void turn.settled.then(() => (settled = true));
    while (!settled) await clock.advance(1000);
    commits = Math.max(commits, count);
    if (count < fullFrom) break;
    await expect(turn).rejects.toThrow(StorageError);
    const before = await memory.listMessages("thread");
    // There is room again.
    const model = strictModel(scriptedModel([reply.text("Two it is.")]));
    const next = await createAgent({ model, clock, storage: memory, tools: { echo } }).session({ id: "thread" });
    await clock.advance(31_000);
    await next.cancel("one").catch(() => undefined);
    expect(await next.prompt("Two")).toMatchObject({ outcome: "answered", text: "Two it is." });
    expect(model.violations).toEqual([]);
    const ids = (await next.messages()).map(({ info }) => info.id);
    expect(ids).toEqual(expect.arrayContaining(before.items.map(({ info }) => info.id)));
    await agent.close();
  }
  expect(fullFrom).toBeGreaterThan(5);
});

it("R192, VoltAgent/voltagent#1148: what was deleted during a turn is nowhere, and late writes bring nothing back", async () => {
  const { gate, open, whenStarted } = gatedTool();
  const test = await start([reply.text("A secret."), reply.toolCall("gate", { name: "late" }), (request) => reply.text(String(JSON.stringify(request).includes("secret")))], { tools: { gate } });
  const first = await test.agent.session({ id: "thread" });
  await first.prompt("Hi");
  const running = first.prompt("Go on");
  running.catch(() => undefined);
  await whenStarted("late");
  const removed = first.remove();
  await test.clock.advance(1000);
  await removed;
  const second = await test.agent.session({ id: "thread" });
  open("late", "a secret that comes late");
  expect((await second.prompt("Hi")).text).toBe("false");
  await test.clock.runAll();
  const { items } = await test.storage.listMessages("thread");
  expect(items).toHaveLength(2);
  expect(JSON.stringify([items, await test.storage.changes("thread", { after: 0 }), second.info])).not.toContain("secret");
});

it("R194, QwenLM/qwen-code#4423: 300 calls of a turn and 300 turns leave no listener on any signal, and no warning", { timeout: 30_000 }, async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  try {
    const signals = new Set<AbortSignal>();
    const { echo, runs } = echoTool();
    const seen = { ...echo, execute: (input: { text: string }, context: Parameters<typeof echo.execute>[1]) => (signals.add(context.abortSignal), echo.execute(input, context)) };
    const step = Array.from({ length: 30 }, (_, index) => reply.toolCall("echo", { text: String(index) })).flat();
    const test = await start([...Array.from({ length: 10 }, () => step), ...Array.from({ length: 301 }, () => reply.text("Done."))], { tools: { echo: seen } });
    const { signal } = new AbortController();
    await test.session.prompt("Go", { abortSignal: signal });
    // Ten sessions, so that no request grows long.
    for (let count = 0; count < 10; count += 1) {
      const session = await test.agent.session();
      for (let turn = 0; turn < 30; turn += 1) await session.prompt("Again", { abortSignal: signal });
    }
    expect(runs).toHaveLength(300);
    expect([signal, ...signals].flatMap((each) => getEventListeners(each, "abort"))).toEqual([]);
    expect(test.clock.pending()).toBe(0);
    expect(warn).not.toHaveBeenCalled();
  } finally {
    warn.mockRestore();
  }
});
