import fc from "fast-check";
import { expect, it } from "vitest";
import { ConflictError } from "../../src/errors.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import type { Owner } from "../../src/testing/storage-conformance/owner.ts";
import { ownNewSession } from "../../src/testing/storage-conformance/owner.ts";
import { sessionID } from "../../src/testing/storage-conformance/rows.ts";
import { anyOperation, isConsistent } from "./any-operation.ts";
import { byID, byMessageID, FeedReplica } from "./feed-replica.ts";
import { ModelConflict, StorageModel } from "./storage-model.ts";

const batch = fc.array(anyOperation(fc.constantFrom("", "x", "yz", "😀")), { minLength: 1, maxLength: 4 }).filter(isConsistent);
const batches = fc.array(batch, { maxLength: 25 });

/** Writes a batch to store and model. Returns whether they accepted it; they must agree. */
async function commitToBoth(owner: Owner, model: StorageModel, operations: Operation[]): Promise<boolean> {
  const refused = refusal(() => model.commit(operations), ModelConflict);
  const rejected = await owner.write(...structuredClone(operations)).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ConflictError) return true;
      throw error;
    },
  );
  expect({ operations, rejected }).toEqual({ operations, rejected: refused });
  return !rejected;
}

function refusal(action: () => void, kind: typeof ModelConflict): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if (error instanceof kind) return true;
    throw error;
  }
}

async function expectSame(storage: Storage, model: StorageModel, seq: number): Promise<void> {
  const { asks, aborts, queued, seq: inboxSeq } = await storage.inbox(sessionID);
  expect(inboxSeq).toBe(seq);
  expect((await storage.getSession(sessionID))?.seq).toBe(seq);
  expect((await storage.listMessages(sessionID)).items).toEqual(model.transcript);
  expect(queued).toEqual(model.queued);
  expect(asks).toEqual(model.state.asks);
  expect(aborts).toEqual(model.state.aborts);
  for (const id of ["art_a", "art_b"]) {
    expect(await storage.getArtifact(sessionID, id)).toEqual(model.state.artifacts.find((artifact) => artifact.id === id));
  }
}

/**
 * Registers the properties that hold for any batches on any store.
 *
 * @param makeStorage an empty store
 * @param numRuns how many lists of batches each property is tried with
 */
export function storageProperties(makeStorage: () => Storage, numRuns = 200): void {
  it("any batches: the store does what the plainest model of the contract does", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (list) => {
        const storage = makeStorage();
        const model = new StorageModel();
        const owner = await ownNewSession(storage);
        let seq = 1;
        for (const operations of list) {
          if (await commitToBoth(owner, model, operations)) seq += 1;
          await expectSame(storage, model, seq);
        }
      }),
      { numRuns },
    );
  });

  it("any batch: repeating it changes no row", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (list) => {
        const storage = makeStorage();
        const model = new StorageModel();
        const owner = await ownNewSession(storage);
        for (const operations of list) {
          if (!(await commitToBoth(owner, model, operations))) continue;
          await owner.write(...structuredClone(operations)).catch((error: unknown) => {
            expect(error).toBeInstanceOf(ConflictError);
          });
          await expectSame(storage, model, (await storage.inbox(sessionID)).seq);
        }
      }),
      { numRuns },
    );
  });

  it("any batches: the change feed, from any seq and in any pages, leads to what the queries say", async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 5 }), async (list, limit) => {
        const storage = makeStorage();
        const owner = await ownNewSession(storage);
        const replicas: FeedReplica[] = [];
        for (const operations of [[], ...list]) {
          await owner.write(...structuredClone(operations)).catch(() => undefined);
          const replica = new FeedReplica();
          await replica.follow(storage, sessionID, limit);
          replicas.push(replica);
        }
        const { queued, asks } = await storage.inbox(sessionID);
        const messages = (await storage.listMessages(sessionID)).items;
        const session = await storage.getSession(sessionID);
        for (const replica of replicas) {
          await replica.follow(storage, sessionID, limit);
          expect(replica.session).toEqual(session);
          expect(replica.transcript).toEqual(messages);
          expect(replica.queued).toEqual(queued.toSorted(byMessageID));
          expect(replica.asks).toEqual(asks.toSorted(byID));
        }
      }),
      { numRuns },
    );
  });
}
