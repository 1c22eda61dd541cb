import fc from "fast-check";
import { expect, it } from "vitest";
import { ConflictError, InvalidArgumentError } from "../../src/errors.ts";
import { checkBatch } from "../../src/storage/check-batch.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import type { Owner } from "../../src/testing/storage-conformance/owner.ts";
import { ownNewSession } from "../../src/testing/storage-conformance/owner.ts";
import {
  abortRow,
  artifactRow,
  askRow,
  assistantRow,
  promptRow,
  sessionID,
  sessionRow,
  textPart,
  toolPart,
} from "../../src/testing/storage-conformance/rows.ts";
import { byID, byMessageID, FeedReplica } from "./feed-replica.ts";
import { ModelConflict, StorageModel } from "./storage-model.ts";

// Few ids, so that operations meet.
const messageID = fc.constantFrom("msg_a", "msg_b", "msg_c");
const partID = fc.constantFrom("prt_a", "prt_b", "prt_c");
const askID = fc.constantFrom("ask_a", "ask_b");
const artifactID = fc.constantFrom("art_a", "art_b");
const abortID = fc.constantFrom("abt_a", "abt_b");
const position = fc.integer({ min: 0, max: 3 });
const offset = fc.integer({ min: 0, max: 6 });
const text = fc.constantFrom("", "x", "yz", "😀");
const time = fc.integer({ min: 1, max: 5 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ type: fc.constant("session.put"), session: text.map((title) => sessionRow(sessionID, { title })) }),
  fc.record({ type: fc.constant("message.put"), message: fc.tuple(messageID, position).map(([id, place]) => assistantRow(id, place)) }),
  fc.record({ type: fc.constant("message.put"), message: messageID.map((id) => promptRow(id)) }),
  fc.record({ type: fc.constant("message.delete"), messageID }),
  fc.record({ type: fc.constant("message.promote"), messageID, position }),
  fc.record({ type: fc.constant("part.put"), part: fc.tuple(messageID, partID, text).map((values) => textPart(...values)) }),
  fc.record({ type: fc.constant("part.put"), part: fc.tuple(messageID, partID).map((values) => toolPart(...values)) }),
  fc.record({ type: fc.constant("part.delete"), messageID, partID }),
  fc.record({ type: fc.constant("part.append"), messageID, partID, field: fc.constant("text"), offset, text }),
  fc.record({ type: fc.constant("ask.put"), ask: askID.map((id) => askRow(id)) }),
  fc.record({ type: fc.constant("ask.delete"), askID }),
  fc.record({ type: fc.constant("ask.reply"), askID, reply: fc.constant({ decision: "once" }), time }),
  fc.record({ type: fc.constant("artifact.put"), artifact: fc.tuple(artifactID, text).map((values) => artifactRow(...values)) }),
  fc.record({ type: fc.constant("artifact.append"), artifactID, offset, text }),
  fc.record({ type: fc.constant("artifact.delete"), artifactID }),
  fc.record({ type: fc.constant("abort.request"), abort: abortID.map(abortRow) }),
  fc.record({ type: fc.constant("abort.clear"), abortID }),
  fc.record({ type: fc.constant("prompt.cancel"), messageID, time }),
  messageID.map((id): Operation => ({ type: "prompt.admit", message: promptRow(id), parts: [textPart(id, "prt_a", "Hi")] })),
);
const batch = fc.array(operation, { minLength: 1, maxLength: 4 }).filter(isConsistent);
const batches = fc.array(batch, { maxLength: 25 });

/** A batch that deletes a row and puts it again contradicts itself, and is refused. */
function isConsistent(operations: Operation[]): boolean {
  try {
    checkBatch({ sessionID, lease: { rootID: sessionID, owner: "own_1", fence: 1, seq: 1, expires: 1 }, operations });
    return true;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return false;
    throw error;
  }
}

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
