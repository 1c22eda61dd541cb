import { expect } from "vitest";
import { dialectOf } from "./dialect-of.ts";
import type { Json } from "./json.ts";
import type { Recording } from "./recordings.ts";
import type { Replay } from "./replay.ts";

/** What holds after every replay, whatever the stream was. An unhandled rejection fails the whole run by itself. */
export function expectSound(replayed: Replay, recording: Recording): void {
  for (const turn of replayed.later) expect(turn).toMatchObject({ outcome: "answered", text: "Plain answer.", steps: 1 });
  expect(replayed.outcomes).toEqual([replayed.first.outcome, "answered", "answered"]);
  const stored = replayed.transcript.flatMap(({ info }) => (info.role === "user" ? [info.outcome?.type] : []));
  expect(stored).toEqual(replayed.outcomes);
  expect(replayed.status).toEqual({ type: "idle" });
  expect(replayed.timers).toBe(0);
  expect(replayed.violations).toEqual([]);
  for (const body of replayed.bodies) expectValid(body, recording);
}

/** The order of roles, and that no message is empty. */
function expectValid(body: Json, recording: Recording): void {
  const dialect = dialectOf(recording);
  const messages = dialect.messages(body);
  expect(messages.filter((message) => dialect.isEmpty(message))).toEqual([]);
  expect(messages[0]?.["role"]).toBe("user");
  expect(["assistant", "model"]).not.toContain(messages.at(-1)?.["role"]);
  if (!dialect.alternates) return;
  expect(messages.filter(({ role }, index) => role === messages[index + 1]?.["role"])).toEqual([]);
}
