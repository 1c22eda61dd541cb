import { afterEach, beforeEach, expect, it } from "vitest";
import { createAgent, memoryStorage } from "throughline";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import { watchListeners, type EngineListeners } from "../termination/engine-listeners.ts";
import { echoTool } from "./session-under-test.ts";

let listeners: EngineListeners;
beforeEach(() => {
  listeners = watchListeners();
});
afterEach(() => {
  listeners.restore();
});

/** What keeps the process alive, by kind. The engine's timers are the clock's, and others the test runner's. */
function handles(): string {
  return process.getActiveResourcesInfo().filter((kind) => kind !== "Immediate" && kind !== "Timeout").sort().join();
}

it("after a thousand turns in one process, some of them aborted, there are no more listeners, timers and handles than before", async () => {
  const clock = manualClock();
  const model = strictModel(scriptedModel(({ prompt }) => (prompt.at(-1)?.role === "tool" ? reply.text("Done.") : [reply.text("Let me see."), reply.toolCall("echo", { text: "a" })])));
  const agent = createAgent({ model, clock, storage: memoryStorage({ clock }), tools: { echo: echoTool().echo } });
  const { signal } = new AbortController();
  // The test runner has one of its own.
  listeners.clear();
  const before = handles();
  const outcomes: Record<string, number> = {};
  for (let sessions = 0; sessions < 100; sessions += 1) {
    const session = await agent.session();
    for (let turns = 1; turns <= 10; turns += 1) {
      const turn = session.prompt("Go", { abortSignal: signal });
      if (turns % 10 === 0) session.once("tool.started", () => { void session.abort(); });
      const { outcome } = await turn.settled;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  }
  await clock.advance(0);
  expect(outcomes).toEqual({ answered: 900, aborted: 100 });
  expect({ handles: handles(), listeners: listeners.open(), timers: clock.pending(), violations: model.violations }).toEqual({ handles: before, listeners: 0, timers: 0, violations: [] });
}, 60_000);
