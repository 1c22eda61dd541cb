import fc from "fast-check";
import { rm, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConflictError } from "../../../src/errors.ts";
import { fileStorage } from "../../../src/storage/file/index.ts";
import { memoryStorage } from "../../../src/storage/memory-storage.ts";
import type { Change, Operation, Storage } from "../../../src/storage/storage.ts";
import { readChanges, readTranscript } from "../../../src/testing/storage-conformance/read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart, toolPart } from "../../../src/testing/storage-conformance/rows.ts";
import { isConsistent } from "../any-operation.ts";
import { storeDirectory } from "./store-directory.ts";

const messageID = fc.integer({ min: 0, max: 9 }).map((number) => `msg_${number}`);
const partID = fc.constantFrom("prt_a", "prt_b");
const artifactID = fc.constantFrom("art_a", "art_b");
const askID = fc.constantFrom("ask_a", "ask_b");
const abortID = fc.constantFrom("abt_a", "abt_b");
// Large ones, so that rows move to the archive and files are rewritten.
const text = fc.constantFrom("", "x", "😀\n", "y".repeat(60_000), "\u0000é".repeat(15_000));
const offset = fc.integer({ min: 0, max: 3 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ type: fc.constant("session.put"), session: text.map((title) => sessionRow(sessionID, { title })) }) },
  { weight: 4, arbitrary: messageID.map((id): Operation => ({ type: "message.put", message: assistantRow(id, Number(id.slice(4))) })) },
  { weight: 2, arbitrary: messageID.map((id): Operation => ({ type: "prompt.admit", message: promptRow(id), parts: [textPart(id, "prt_a", "Hi")] })) },
  { weight: 2, arbitrary: messageID.map((id): Operation => ({ type: "message.promote", messageID: id, position: Number(id.slice(4)) })) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("message.delete"), messageID }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant("part.put"), part: fc.tuple(messageID, partID, text).map((values) => textPart(...values)) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("part.put"), part: fc.tuple(messageID, partID).map((values) => toolPart(...values)) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("part.delete"), messageID, partID }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("part.append"), messageID, partID, field: fc.constant("text"), offset, text }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("ask.put"), ask: askID.map((id) => askRow(id)) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("ask.delete"), askID }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("artifact.put"), artifact: fc.tuple(artifactID, text).map((values) => artifactRow(...values)) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("artifact.append"), artifactID, offset, text }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("artifact.delete"), artifactID }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("abort.request"), abort: abortID.map(abortRow) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("abort.clear"), abortID }) },
);

/** Enough for the oldest messages to leave the log. */
const longHistory = Array.from({ length: 8 }, (_, index): Operation[] => [
  { type: "message.put", message: assistantRow(`msg_${index}`, index) },
  { type: "part.put", part: textPart(`msg_${index}`, "prt_a", `${index}`.repeat(50_000)) },
]).flat();

/** A batch, and whether the store is opened anew before it. */
const step = fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 6, size: "max" }).filter(isConsistent), reopens: fc.boolean() });

async function write(storage: Storage, operations: readonly Operation[]): Promise<"written" | "refused"> {
  const lease = await storage.acquireLease(sessionID, "own_1", 60_000);
  try {
    await storage.commit({ sessionID, lease, operations: structuredClone(operations) });
    return "written";
  } catch (error) {
    if (error instanceof ConflictError) return "refused";
    throw error;
  }
}

/** All that the queries say. The feed is sorted: within one commit its order is free. */
async function view(storage: Storage, after: number): Promise<unknown> {
  const { changes, seq, reset } = await readChanges(storage, after);
  return {
    session: await storage.getSession(sessionID),
    listed: (await storage.listSessions()).items,
    transcript: await readTranscript(storage),
    inbox: await storage.inbox(sessionID),
    asks: await storage.listAsks(),
    artifacts: [await storage.getArtifact(sessionID, "art_a"), await storage.getArtifact(sessionID, "art_b", { offset: 1, limit: 5 })],
    feed: { changes: changes.map(changeText).sort(), seq, reset },
  };
}

function changeText(change: Change): string {
  return JSON.stringify(change);
}

it("any batches, with the store opened anew at any time: it says what the memory store says", { timeout: 240_000 }, async () => {
  const directory = await storeDirectory();
  let runs = 0;
  let archives = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20, size: "max" }), fc.nat(20), async (steps, after) => {
      const path = join(directory, String((runs += 1)));
      const memory = memoryStorage();
      let file = fileStorage(path, { sync: "never" });
      for (const storage of [memory, file]) {
        await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
        await write(storage, longHistory);
      }
      for (const { operations, reopens } of steps) {
        if (reopens) {
          await file.close();
          file = fileStorage(path, { sync: "never" });
        }
        expect(await write(file, operations)).toBe(await write(memory, operations));
        if (reopens) expect(await view(file, after)).toEqual(await view(memory, after));
      }
      expect(await view(file, after)).toEqual(await view(memory, after));
      await file.close();
      archives += (await readdir(join(path, "archives"))).length;
      await rm(path, { recursive: true });
    }),
    { numRuns: 30 },
  );
  // Or else the test would not see what it is for.
  expect(archives).toBeGreaterThan(15);
});
