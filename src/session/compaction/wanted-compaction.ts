import { ConflictError } from "../../errors.ts";
import { resolveModel } from "../../model/resolve-model.ts";
import { deferred, type Deferred } from "../../util/deferred.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import type { LiveSession } from "../live-session.ts";
import { RunLedger } from "../run-ledger.ts";
import type { SessionRun } from "../session-run.ts";
import { CompactionFailedError } from "./compaction-failed-error.ts";
import type { CompactionResult, NextStep } from "./compactor.ts";

/** A compaction that somebody asked for, and that waits for its turn or runs. */
export class WantedCompaction {
  readonly controller = new AbortController();
  readonly #result: Deferred<CompactionResult | undefined> = deferred();

  constructor() {
    // Who asked need not wait.
    this.#result.promise.catch(() => undefined);
  }

  get result(): Promise<CompactionResult | undefined> {
    return this.#result.promise;
  }

  settle(result: CompactionResult | undefined): void {
    this.#result.resolve(result);
  }

  fail(error: unknown): void {
    this.#result.reject(error);
  }
}

/** Compacts the session between two turns, when somebody has asked for it. */
export async function compactIfWanted(run: SessionRun): Promise<void> {
  const { live } = run;
  const wanted = live.wantedCompaction;
  if (wanted === undefined) return;
  try {
    wanted.settle(await compactNow(run, wanted));
  } catch (error) {
    wanted.fail(error);
    if (live.journal.failure !== undefined) throw error;
  } finally {
    live.wantedCompaction = undefined;
  }
}

async function compactNow({ live, compactor, owed, waiting }: SessionRun, { controller: { signal } }: WantedCompaction): Promise<CompactionResult | undefined> {
  if (owed !== undefined || waiting !== undefined) {
    throw new ConflictError("The session has a turn without an outcome. Let session.resume() end it, or session.abort(), before you compact.", (owed ?? waiting)?.prompt);
  }
  const result = await compactor.compact({ input: await inputOf(live, signal), ledger: new RunLedger({ maxSteps: 1 }) });
  if (result === undefined || "messageID" in result) return result;
  throw new CompactionFailedError(result);
}

/** As of a step that no prompt has asked for. */
async function inputOf(live: LiveSession, signal: AbortSignal): Promise<NextStep["input"]> {
  const { context, info: session } = live;
  const { name: agent, tools, profile, settings, providerOptions, policy } = context;
  const model = await untilAborted(Promise.resolve(resolveModel(context.model)), signal);
  const isHidden = (tool: string): boolean => policy.hides?.(tool) === true;
  return { session, agent, tools, model, profile, abortSignal: signal, settings, providerOptions, isHidden, system: [await live.instructions(signal), ""] };
}
