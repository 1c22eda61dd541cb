import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { ConflictError, InvalidArgumentError } from "../../../src/errors.ts";
import { memoryStorage } from "../../../src/storage/memory-storage.ts";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import type { Operation, Storage } from "../../../src/storage/storage.ts";
import { ownNewSession, type Owner } from "../../../src/testing/storage-conformance/owner.ts";
import { readEverything } from "../../../src/testing/storage-conformance/read-everything.ts";
import { promptRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { anyOperation } from "../any-operation.ts";
import { FeedReplica } from "../feed-replica.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());
const client = database.connect();
const schema = database.newSchema();

const operation = anyOperation(fc.constantFrom("", "x", "yz", "😀", "\0"));
const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 5, maxLength: 15 });

/** A refusal shows what its own batch has written: a part that is new, one that came back behind another, one that has grown. */
const refusedByOwnBatch: Operation[][] = [
  [{ type: "message.put", message: promptRow("msg_a") }, { type: "part.put", part: textPart("msg_a", "prt_a", "x") }, { type: "part.put", part: textPart("msg_a", "prt_b", "x") }, { type: "part.put", part: textPart("msg_a", "prt_c", "x") }],
  [{ type: "part.delete", messageID: "msg_a", partID: "prt_a" }],
  [
    { type: "part.append", messageID: "msg_a", partID: "prt_c", field: "text", offset: 1, text: "y" },
    { type: "part.put", part: textPart("msg_a", "prt_a", "z") },
    { type: "prompt.admit", message: promptRow("msg_a"), parts: [] },
  ],
];

/** What a commit came to: the `seq`, or the refusal with what it carries. */
async function outcomeOf(owner: Owner, operations: readonly Operation[]): Promise<unknown> {
  try {
    return await owner.write(...structuredClone(operations));
  } catch (error) {
    if (error instanceof ConflictError) return { code: error.code, message: error.message, existing: error.existing };
    if (error instanceof InvalidArgumentError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** All that the queries tell. Feeds are compared by what they lead to, as each store gives places in its own way. */
async function stateOf(storage: Storage): Promise<unknown> {
  const { changes: _, ...everything } = (await readEverything(storage)) as Record<string, unknown>;
  const artifacts = [await storage.getArtifact(sessionID, "art_a"), await storage.getArtifact(sessionID, "art_b", { offset: 1, limit: 2 })];
  return { ...everything, artifacts };
}

it(`any batches: the store on ${database.name} answers as the one in memory does`, async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 1, max: 5 }), async (list, limit) => {
      const storage = postgresStorage(client, { schema });
      await storage.getSession(sessionID);
      await database.empty(schema);
      const memory = memoryStorage();
      const [owner, model] = [await ownNewSession(storage), await ownNewSession(memory)];
      const replica = new FeedReplica();
      for (const operations of list) {
        expect(await outcomeOf(owner, operations)).toEqual(await outcomeOf(model, operations));
        await replica.follow(storage, sessionID, limit);
      }
      expect(await stateOf(storage)).toEqual(await stateOf(memory));
      expect(replica.session).toEqual(await storage.getSession(sessionID));
      expect(replica.transcript).toEqual((await storage.listMessages(sessionID)).items);
    }),
    { numRuns: 25, examples: [[refusedByOwnBatch, 1]] },
  );
});
