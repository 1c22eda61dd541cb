import { ConflictError } from "../../errors.ts";
import { resolveModel } from "../../model/resolve-model.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import type { LiveSession } from "../live-session.ts";
import { RunLedger } from "../run-ledger.ts";
import type { SessionRun } from "../session-run.ts";
import { CompactionFailedError } from "./compaction-failed-error.ts";
import type { CompactionResult } from "./compaction-result.ts";
import type { NextStep } from "./next-step.ts";
import type { WantedCompaction } from "./wanted-compaction.ts";

/** Compacts the session between two turns, when somebody has asked for it. Returns how to tell them. */
export async function compactIfWanted(run: SessionRun): Promise<(() => void) | undefined> {
  const { live } = run;
  const wanted = live.wantedCompaction;
  if (wanted === undefined) return undefined;
  try {
    const result = await compactNow(run, wanted);
    return () => {
      wanted.settle(result);
    };
  } catch (error) {
    if (live.journal.failure !== undefined) {
      wanted.fail(error);
      throw error;
    }
    return () => {
      wanted.fail(error);
    };
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
