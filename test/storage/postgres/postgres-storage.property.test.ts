import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { ConflictError, InvalidArgumentError } from "../../../src/errors.ts";
import { memoryStorage } from "../../../src/storage/memory-storage.ts";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import type { Operation, Storage } from "../../../src/storage/storage.ts";
import { ownNewSession, type Owner } from "../../../src/testing/storage-conformance/owner.ts";
import { readEverything } from "../../../src/testing/storage-conformance/read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart, toolPart } from "../../../src/testing/storage-conformance/rows.ts";
import { FeedReplica } from "../feed-replica.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());
const client = database.connect();
const schema = database.newSchema();

// Few ids, so that operations meet.
const messageID = fc.constantFrom("msg_a", "msg_b", "msg_c");
const partID = fc.constantFrom("prt_a", "prt_b");
const askID = fc.constantFrom("ask_a", "ask_b");
const artifactID = fc.constantFrom("art_a", "art_b");
const abortID = fc.constantFrom("abt_a", "abt_b");
const position = fc.integer({ min: 0, max: 3 });
const offset = fc.integer({ min: 0, max: 6 });
const text = fc.constantFrom("", "x", "yz", "😀", "\0");
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
