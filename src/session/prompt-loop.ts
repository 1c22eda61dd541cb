import { StorageError, ThroughlineError } from "../errors.ts";
import { describeError } from "../model/describe-error.ts";
import type { ActiveTurn } from "./turn/active-turn.ts";
import { isHandedOver } from "./turn/hand-over.ts";
import type { Ending } from "./turn/turn-outcome.ts";
import { maxInterruptedAttempts, stopRepetitionAt } from "./defaults.ts";
import { Suspension } from "./asks/suspension.ts";
import { hasContent, isOwed, isRejected } from "./owed.ts";
import { emptyReply } from "./retry/reply-failure.ts";
import { abortError, messageError } from "./step/step-ending.ts";

/**
 * Runs a turn to its ending:
 *
 *     promote ▸ done? ▸ compaction? ▸ step ▸ settle tools ▸ again
 *
 * It goes on if and only if the model owes an answer to something it has not seen yet: a promoted prompt, or the results
 * of its own calls. It always ends, as each step spends from the ledger.
 *
 * @param joining promotes the prompts that are to join the running turn
 * @returns its ending; `waiting` when it waits for an answer and is not to wait here; nothing when it is handed over, and goes
 * on in another process
 * @throws {StorageError | LeaseLostError} the session cannot be written any more
 */
export async function runLoop(turn: ActiveTurn, joining: () => Promise<void> | undefined): Promise<Ending | "waiting" | undefined> {
  try {
    for (;;) {
      if (turn.signal.aborted) return abortedEnding(turn);
      const joined = canBeJoined(turn) ? joining() : undefined;
      if (joined !== undefined) await joined;
      const ending = reachedEnding(turn);
      if (ending !== undefined) return ending;
      const failed = await takeStep(turn);
      if (failed !== undefined) return failed === "aborted" ? abortedEnding(turn) : failed;
    }
  } catch (error) {
    if (error instanceof Suspension) return "waiting";
    if (isFatal(error)) throw error;
    if (turn.signal.aborted) return abortedEnding(turn);
    turn.cause = error;
    return { type: "error", error: describeError(error) };
  }
}

/** What ends now, or has no step left, could not answer a prompt that joins: it gets a turn of its own. */
function canBeJoined(turn: ActiveTurn): boolean {
  return !turn.ledger.isSpent && !isRejected(turn.messages.at(-1)) && !isOutputGiven(turn);
}

/** Makes room for a step, where it needs some, and takes it. Returns how the turn ends when that failed. */
async function takeStep(turn: ActiveTurn): Promise<Ending | "aborted" | undefined> {
  const room = turn.makeRoom();
  if (room !== undefined) {
    const error = await room;
    if (turn.signal.aborted) return "aborted";
    if (error !== undefined) return { type: error.code === "budget" ? "limit" : "error", error };
  }
  const budget = turn.isOutOfBudget();
  if (budget !== undefined && (await budget)) return turn.signal.aborted ? "aborted" : limitEnding(turn);
  switch (await turn.step()) {
    case "compact":
      if (await turn.makeRoomAfterRefusal()) return undefined;
      return turn.signal.aborted ? "aborted" : failedEnding(turn);
    case "stop":
      return turn.isRetrying ? "aborted" : failedEnding(turn);
    case "continue":
      return undefined;
  }
}

/** The ending of a turn that takes no further step, as far as that can be told from its messages. */
export function reachedEnding(turn: ActiveTurn): Ending | undefined {
  if (turn.isRetrying) return undefined;
  if (isOutputGiven(turn)) return { type: "answered" };
  // Only of a turn that another process began: here a failed step ends it at once.
  if (turn.error !== undefined && turn.error.code !== "interrupted") return failedEnding(turn);
  if (isRejected(turn.messages.at(-1))) return { type: "rejected" };
  if (turn.output?.failure !== undefined) return { type: "error", error: turn.output.failure };
  return isOwed(turn.newest) ? spentEnding(turn) : describeEnd(turn);
}

/** The ending of a turn whose model is owed another call, and may not be called again. */
function spentEnding(turn: ActiveTurn): Ending | undefined {
  if (turn.newest?.info.role === "assistant" && turn.isRepeating) return repetitionEnding();
  // Not only when tools were withheld: a model also calls tools that it was never offered.
  if (turn.ledger.isSpent) return limitEnding(turn);
  return turn.attempts.next > maxInterruptedAttempts ? { type: "error", error: messageError("interrupted", `The process ended ${maxInterruptedAttempts} times during the same step.`) } : undefined;
}

/** The structured answer that the prompt wants is there. */
function isOutputGiven(turn: ActiveTurn): boolean {
  return turn.output !== undefined && turn.messages.at(-1)?.info.structured !== undefined;
}

/** The session itself cannot go on. */
function isFatal(error: unknown): boolean {
  return error instanceof StorageError || (ThroughlineError.isInstance(error) && error.code === "lease-lost");
}

/** How an aborted turn ends. One that is handed over ends only if there is nothing left to do. */
export function abortedEnding(turn: ActiveTurn): Ending | undefined {
  if (isHandedOver(turn.signal)) return reachedEnding(turn);
  const error = abortError(turn.signal.reason);
  return { type: error.code === "aborted" ? "aborted" : "error", error };
}

function failedEnding(turn: ActiveTurn): Ending {
  const error = turn.error ?? messageError("unknown", "The step failed and gave no reason.");
  return { type: error.code === "aborted" ? "aborted" : "error", error };
}

function limitEnding(turn: ActiveTurn): Ending {
  const { lack } = turn.ledger;
  if (lack !== undefined) return { type: "limit", error: messageError("budget", `The turn reached its budget ${lack}`) };
  return { type: "limit", error: messageError("steps", `The turn reached its limit of ${turn.ledger.maxSteps} model steps (maxSteps).`) };
}

function repetitionEnding(): Ending {
  return { type: "limit", error: messageError("repetition", `The model made the same calls ${stopRepetitionAt} times in a row, and they came to the same each time.`) };
}

/** Nothing is owed: how the turn is reported. */
function describeEnd(turn: ActiveTurn): Ending {
  const last = turn.messages.at(-1);
  if (last === undefined || !hasContent(last)) return { type: "error", error: turn.error ?? emptyReply };
  if (turn.toolsWithheld) return limitEnding(turn);
  if (last.info.finish === "length") return { type: "limit", error: messageError("length", "The answer was cut at the model's output limit.") };
  return { type: "answered" };
}
