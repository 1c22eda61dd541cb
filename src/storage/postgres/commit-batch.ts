import { StorageError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { checkBatch } from "../check-batch.ts";
import type { Batch } from "../storage.ts";
import type { CommitTarget } from "./commit-target.ts";
import { deleteSession } from "./delete-session.ts";
import { judgeBatch } from "./judge-batch.ts";
import { loadSession, type LoadedSession } from "./load-session.ts";
import { untilSettled } from "./race.ts";
import type { SessionDraft } from "./session-draft.ts";
import { TextNeeded } from "./staged-rows.ts";
import { sweepTombstones, tombstonesBeforeSweep } from "./sweep-tombstones.ts";
import { touchedRows } from "./touched-rows.ts";
import { writeBatch } from "./write-batch.ts";

/** Writes a batch whole or not at all. Returns the session's new `seq`. */
export async function commitBatch(target: CommitTarget, batch: Batch): Promise<{ seq: number }> {
  checkBatch(batch);
  // It waits for its turn and for the database, and must not change meanwhile.
  deepFreeze(batch.operations);
  return target.turns.take(batch.sessionID, () => writeInTurn(target, batch));
}

async function writeInTurn(target: CommitTarget, batch: Batch): Promise<{ seq: number }> {
  if (batch.operations[0]?.type === "session.delete") return { seq: await deleteSession(target, batch) };
  const { database } = target;
  const written = await untilSettled(target.clock, async () => {
    const { draft, loaded } = await judge(target, batch);
    return writeBatch(database, { batch, draft, seq: loaded.seq });
  });
  // The batch is written: what goes wrong from here on is not its failure.
  if (written.tombstones >= tombstonesBeforeSweep) await sweepTombstones(database, batch.sessionID).catch(ignore);
  return { seq: written.seq };
}

/** Texts are read only for a batch that cannot be judged without: nearly all add to their end, or replace them. */
async function judge(target: CommitTarget, batch: Batch): Promise<{ draft: SessionDraft; loaded: LoadedSession }> {
  try {
    return await judgeOn(target, batch, false);
  } catch (error) {
    if (error instanceof TextNeeded) return judgeOn(target, batch, true);
    throw error;
  }
}

async function judgeOn({ database, reader }: CommitTarget, batch: Batch, withTexts: boolean): Promise<{ draft: SessionDraft; loaded: LoadedSession }> {
  const { sessionID, operations, lease } = batch;
  const parentID = operations[0]?.type === "session.create" ? operations[0].session.parentID : undefined;
  const loaded = await loadSession(database, reader, { sessionID, parentID, leaseRootID: lease?.rootID, touched: touchedRows(operations), withTexts });
  return { draft: judgeBatch(batch, loaded), loaded };
}

function ignore(error: unknown): void {
  if (!(error instanceof StorageError)) throw error;
}
