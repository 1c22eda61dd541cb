import type { SessionEvent, UserMessage } from "throughline";
import { foldEvents } from "../session/event-fold.ts";
import type { EngineListeners } from "./engine-listeners.ts";
import { abortGraceMs, RunningScenario } from "./running-scenario.ts";
import type { Scenario } from "./scenario.ts";
import { seededRandom } from "../seeded-random.ts";

/** Runs a scenario to its end. Returns what was wrong with it, in words. */
export async function problemsOf(scenario: Scenario, listeners: EngineListeners): Promise<string[]> {
  const rejections: string[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(`An unhandled rejection: ${String(reason)}`);
  const { random } = Math;
  process.on("unhandledRejection", onRejection);
  Math.random = seededRandom(scenario.random);
  listeners.clear();
  const run = new RunningScenario(scenario);
  try {
    await run.run();
    return [...(await findProblems(run, scenario, listeners)), ...rejections];
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error), ...rejections];
  } finally {
    Math.random = random;
    process.off("unhandledRejection", onRejection);
  }
}

async function findProblems(run: RunningScenario, scenario: Scenario, listeners: EngineListeners): Promise<string[]> {
  const { session, clock, storage, models, calls, maxCalls } = run;
  const problems: string[] = [];
  const expect = (holds: boolean, problem: () => string): void => {
    if (!holds) problems.push(problem());
  };
  expect(calls <= maxCalls, () => `${calls} calls were made, and the limits allow ${maxCalls}.`);
  // What else was asked for may still be done.
  const isAlone = scenario.others.length === 0 && scenario.deeds.every(({ what }) => what !== "compact");
  expect(!isAlone || run.callsAtAbort === undefined || run.callsAtAbort === calls, () => "A call was made after the abort.");
  expect(run.abortsMs.every((ms) => ms <= abortGraceMs), () => `An abort took ${Math.max(...run.abortsMs)} ms.`);
  expect(session.status.type === "idle", () => `The session is ${session.status.type}.`);
  expect(clock.pending() === run.foreignTimers, () => `${clock.pending() - run.foreignTimers} timers are left.`);
  expect(listeners.open() === 0, () => `${listeners.open()} listeners are left on abort signals.`);
  for (const { violations } of models) for (const { message } of violations) problems.push(`An illegal request: ${message}`);
  const stored = await session.messages();
  problems.push(...(await outcomeProblems(run, stored.flatMap(({ info }) => (info.role === "user" ? [info] : [])))));
  for (const { info, parts } of stored) {
    expect(info.role === "user" || info.time.completed !== undefined, () => `Message ${info.id} is not complete.`);
    for (const part of parts) expect(part.type !== "tool" || part.state.status === "completed" || part.state.status === "error", () => `Call ${part.id} has no result.`);
  }
  expect(JSON.stringify(foldEvents(run.events).messages) === JSON.stringify(stored), () => "The events do not add up to what is stored.");
  const { queued, asks, aborts } = await storage.inbox(session.id);
  expect(queued.length + asks.length + aborts.length === 0, () => `The inbox still has ${queued.length} prompts, ${asks.length} asks, ${aborts.length} abort requests.`);
  expect((await storage.acquireLease(session.id, "somebody else", 1)) !== undefined, () => "The lease was not given back.");
  return problems;
}

/** Every prompt has one outcome: its turn's, the stored one, and in the events. */
async function outcomeProblems({ prompts, events, session }: RunningScenario, stored: readonly UserMessage[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { turn, settled } of prompts) {
    const { messageID } = turn;
    const { outcome } = await turn.settled;
    const row = stored.find(({ id }) => id === messageID);
    const ends = events.filter((event) => isEnd(event, messageID)).length;
    if (settled !== 1 || ends !== 1) problems.push(`Prompt ${messageID} settled ${settled} times and has ${ends} ends in the events.`);
    if (outcome === "cancelled" ? row !== undefined : row?.outcome === undefined) problems.push(`Prompt ${messageID} is stored with the outcome ${row?.outcome?.type}.`);
    if (outcome !== "waiting" && outcome !== "cancelled" && row?.outcome?.type !== outcome) problems.push(`Prompt ${messageID} ended as ${outcome}, and is stored as ${row?.outcome?.type}.`);
  }
  if (session.status.type !== "idle") problems.push(`The session is ${session.status.type}.`);
  return problems;
}

function isEnd(event: SessionEvent, messageID: string): boolean {
  return (event.type === "turn.finished" || event.type === "prompt.cancelled") && event.messageID === messageID;
}
