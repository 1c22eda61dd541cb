import fc from "fast-check";
import { sayings, type Saying } from "./any-model.ts";

/** When something happens: at the so manieth event of the session, model call, or start of a tool. */
export interface Moment {
  at: "event" | "call" | "tool";
  count: number;
}

/** The form of the answer that a prompt wants, by how its schema behaves. */
export type Wish = "text" | "object" | "slow check" | "check that hangs" | "check that throws";

export interface PlannedPrompt {
  when: Moment;
  delivery: "queue" | "steer";
  wants: Wish;
  retryCount: number;
  maxSteps: number | undefined;
}

export type Deed = "abort" | "abort and cancel" | "abort turn" | "abort signal" | "cancel" | "compact";

/** A whole session: who takes part, what is allowed, and what happens when. Plain data. */
export interface Scenario {
  /** The model, and those that take its place. */
  models: readonly (readonly Saying[])[];
  maxSteps: number;
  maxAttempts: number;
  budget: { tokens?: number; durationMs?: number } | undefined;
  limits: { context: number; output: number } | undefined;
  compaction: { auto?: boolean; prune?: "overflow" | "turn-end" | false };
  parallelTools: number;
  asks: { mode: "hold" | "release"; timeoutMs: number; onReject: "stop" | "continue" | undefined };
  /** What people reply, one after the other, over and over. */
  replies: readonly ("once" | "always" | "reject" | "reject with words" | "answer" | "none")[];
  first: Omit<PlannedPrompt, "when" | "delivery">;
  others: readonly PlannedPrompt[];
  deeds: readonly { when: Moment; what: Deed; prompt: number }[];
  /** For what the engine leaves to chance. */
  random: number;
}

const moment: fc.Arbitrary<Moment> = fc.oneof(
  { arbitrary: fc.nat({ max: 40 }).map((count): Moment => ({ at: "event", count })), weight: 3 },
  fc.nat({ max: 6 }).map((count): Moment => ({ at: "call", count })),
  fc.nat({ max: 3 }).map((count): Moment => ({ at: "tool", count })),
);
const wishes = { wants: fc.constantFrom<Wish>("text", "text", "text", "object", "object", "slow check", "check that hangs", "check that throws"), retryCount: fc.nat({ max: 2 }), maxSteps: fc.constantFrom(undefined, undefined, 1, 2) };

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  models: fc.oneof({ arbitrary: fc.tuple(sayings), weight: 3 }, fc.tuple(sayings, sayings), fc.tuple(sayings, sayings, sayings)),
  maxSteps: fc.constantFrom(1, 2, 2, 3),
  maxAttempts: fc.constantFrom(1, 1, 2, 3),
  budget: fc.constantFrom(undefined, undefined, { tokens: 1 }, { tokens: 400 }, { tokens: 3_000 }, { durationMs: 60 }),
  limits: fc.constantFrom(undefined, undefined, { context: 1, output: 1 }, { context: 400, output: 100 }, { context: 100_000, output: 1_000 }),
  compaction: fc.constantFrom({}, {}, { auto: false }, { prune: "turn-end" as const }, { prune: false as const }),
  parallelTools: fc.constantFrom(1, 8),
  asks: fc.record({ mode: fc.constantFrom("hold", "hold", "release"), timeoutMs: fc.constantFrom(0, 25, 25), onReject: fc.constantFrom(undefined, "stop", "continue") }),
  replies: fc.array(fc.constantFrom("once", "always", "reject", "reject with words", "answer", "none"), { minLength: 1, maxLength: 3 }),
  first: fc.record(wishes),
  others: fc.array(fc.record({ when: moment, delivery: fc.constantFrom("queue", "steer"), ...wishes }), { maxLength: 2 }),
  deeds: fc.array(fc.record({ when: moment, what: fc.constantFrom<Deed>("abort", "abort", "abort and cancel", "abort turn", "abort signal", "cancel", "compact"), prompt: fc.nat({ max: 2 }) }), { maxLength: 2 }),
  random: fc.nat(),
});
