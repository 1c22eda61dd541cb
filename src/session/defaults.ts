import type { ModelTimeouts } from "../model/watchdog.ts";
import type { TextLimits } from "../tools/truncate-text.ts";
import type { AskSettings } from "./asks/ask-options.ts";
import type { RetrySettings } from "./retry/retry-options.ts";

/** Limits on everything that the engine waits for, in milliseconds. */
export interface Timeouts extends ModelTimeouts {
  /** One tool call, unless the tool has a limit of its own. */
  toolMs: number;
  /** One answer of the storage. */
  storageMs: number;
  /** One answer of the host's own code, e.g. a function of instructions. */
  hookMs: number;
  /** How long a running tool may still take to give its result when the turn is aborted. */
  abortGraceMs: number;
}

export const defaultTimeouts: Timeouts = {
  firstChunkMs: 60_000,
  idleMs: 60_000,
  modelMs: 120_000,
  toolMs: 60_000,
  storageMs: 30_000,
  hookMs: 30_000,
  abortGraceMs: 250,
};

/** Most model steps of one turn. */
export const defaultMaxSteps = 100;

/** How a failed model call is made again. */
export const defaultRetry: RetrySettings = { maxAttempts: 5, baseDelayMs: 2_000, maxDelayMs: 30_000 };

/** Most prompts of a process that wait in one session behind the one that runs. */
export const defaultMaxQueued = 1000;

/** How many summaries may be asked for without a step that ends well in between. */
export const maxCompactionsInARow = 2;

/** How often a model is asked again for an answer in the form that a prompt wants. */
export const defaultOutputRetries = 2;

/** Longest cycle of calls that is recognised as one. */
export const maxRepetitionPeriod = 4;

/** How often the same calls, with the same results, come in a row until the model is told so, */
export const noteRepetitionAt = 3;

/** until a call is held back for a person, unless the policy says otherwise (`doom_loop`), */
export const holdRepetitionAt = 5;

/** and until the turn ends. */
export const stopRepetitionAt = 8;

/** How often a crash may cut one step: what has ended the process so often will end it again. */
export const maxInterruptedAttempts = 10;

/** How many tool calls of a step run at once. */
export const defaultToolConcurrency = 8;

/** How much of a tool's output a model is shown, as in OpenCode. */
export const defaultOutputLimits: TextLimits = Object.freeze({ maxLines: 2000, maxBytes: 51_200 });

/** How many whole outputs of a session are kept. */
export const defaultKeptOutputs = 100;

/** How many turns an agent runs at once, over all its sessions. */
export const defaultTurnConcurrency = 1000;

/** A person may take their time: an ask that nobody answers waits, and costs nothing. */
export const defaultAsks: AskSettings = { mode: "hold", timeoutMs: Number.POSITIVE_INFINITY, onReject: undefined };

export const defaultLeases = { ttlMs: 30_000, pollMs: 250 };
