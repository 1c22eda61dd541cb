import { createAgent, memoryStorage, type OutcomeType, type PermissionSource, type SessionStatus, type TurnResult, type WithParts } from "throughline";
import { manualClock, strictModel, type RequestViolation } from "throughline/testing";
import { dialectOf } from "./dialect-of.ts";
import { record, type Json } from "./json.ts";
import { recordedFetch, type Delivery } from "./recorded-fetch.ts";
import { recordedModel, recordedTools } from "./recorded-model.ts";
import { payloadsOf, type Recording } from "./recordings.ts";
import type { Said } from "./dialect.ts";

/** What came of a recording in a session: of the prompt that it answers, and of two more. */
export interface Replay {
  /** The recorded turn. */
  first: TurnResult;
  /** A turn in the same session, and one in the session as another agent opens it from the store. */
  later: TurnResult[];
  /** How the turns ended, by the events. */
  outcomes: OutcomeType[];
  /** The whole transcript, from the store. */
  transcript: WithParts[];
  /** The request of each model call. */
  bodies: Json[];
  /** The request of the turn after the recorded one. */
  nextBody: Json;
  /** The wire rules that a prompt broke before the provider's package saw it. */
  violations: readonly RequestViolation[];
  status: SessionStatus;
  /** How many timers were left open. */
  timers: number;
}

export interface ReplayOptions {
  delivery?: Delivery | undefined;
  permissions?: PermissionSource | undefined;
  /** Whether the provider stores the items that it gives ids to. Default: as the recording says. */
  store?: boolean | undefined;
}

/** What each answer of a recording says. */
export function saidIn(recording: Recording): Said[] {
  return recording.answers.map((lines) => dialectOf(recording).said(payloadsOf(lines)));
}

/** What the answer says that follows the recorded ones. */
export function plainAnswerOf(recording: Recording): Said {
  const { said, plainAnswer } = dialectOf(recording);
  return said(payloadsOf(plainAnswer));
}

/** Replays a recording into a session, and goes on with it. */
export async function replay(recording: Recording, options: ReplayOptions = {}): Promise<Replay> {
  const { delivery = "line by line", permissions, store = isStored(recording) } = options;
  const { fetch, bodies: sent } = recordedFetch(recording.answers, dialectOf(recording).plainAnswer, delivery);
  const model = strictModel(recordedModel(recording, fetch));
  const clock = manualClock();
  const tools = recordedTools(recording, saidIn(recording).flatMap((said) => said.tools));
  // Nobody is here to be asked.
  const agentOptions = { model, retry: { maxAttempts: 1 }, clock, permissions, asks: { timeoutMs: 0 }, tools, storage: memoryStorage(), providerOptions: { openai: { store } } };
  const agent = createAgent(agentOptions);
  const otherAgent = createAgent(agentOptions);
  const outcomes: OutcomeType[] = [];
  for (const each of [agent, otherAgent]) each.on("turn.finished", ({ outcome }) => outcomes.push(outcome));

  const session = await agent.session();
  const first = await session.prompt("First prompt.").settled;
  const second = await session.prompt("Second prompt.").settled;
  const nextBody = withoutCacheMarks(sent.at(-1) ?? {});
  const reopened = await otherAgent.session(session.id);
  const third = await reopened.prompt("Third prompt.").settled;
  const transcript = await reopened.messages();
  const { status } = reopened;
  await agent.close();
  await otherAgent.close();
  return { first, later: [second, third], outcomes, transcript, bodies: sent.map(withoutCacheMarks), nextBody, violations: model.violations, status, timers: clock.pending() };
}

function isStored({ answers }: Recording): boolean {
  return !answers.flat().some((line) => line.includes('"store":false'));
}

/** Marks say where the provider should cache, and move with each request: they are no part of the history. */
function withoutCacheMarks(body: Json): Json {
  return record(JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === "cache_control" ? undefined : value))));
}
