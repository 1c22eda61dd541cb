import fc from "fast-check";
import { InvalidArgumentError } from "../../src/errors.ts";
import { checkBatch } from "../../src/storage/check-batch.ts";
import type { Operation } from "../../src/storage/storage.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart, toolPart } from "../../src/testing/storage-conformance/rows.ts";

// Few ids, so that operations meet.
const messageID = fc.constantFrom("msg_a", "msg_b", "msg_c");
const partID = fc.constantFrom("prt_a", "prt_b", "prt_c");
const askID = fc.constantFrom("ask_a", "ask_b");
const artifactID = fc.constantFrom("art_a", "art_b");
const abortID = fc.constantFrom("abt_a", "abt_b");
const position = fc.integer({ min: 0, max: 3 });
const offset = fc.integer({ min: 0, max: 6 });
const time = fc.integer({ min: 1, max: 5 });

/** Any operation, on few rows, with such texts. */
export function anyOperation(text: fc.Arbitrary<string>): fc.Arbitrary<Operation> {
  return fc.oneof(
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
}

/** A batch that deletes a row and puts it again contradicts itself, and is refused. */
export function isConsistent(operations: Operation[]): boolean {
  try {
    checkBatch({ sessionID, lease: { rootID: sessionID, owner: "own_1", fence: 1, seq: 1, expires: 1 }, operations });
    return true;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return false;
    throw error;
  }
}
