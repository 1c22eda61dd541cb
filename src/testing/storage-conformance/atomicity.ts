import type { Operation } from "../../storage/storage.ts";
import { assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceCase, ConformanceTopic } from "./conformance-case.ts";
import { ownFullSession, readFullSession } from "./full-session.ts";
import { commitUnleased } from "./owner.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

const refused: Operation = { type: "prompt.cancel", messageID: "msg_9", time: 2 };

/** Each of these fits the full session. */
const accepted: readonly Operation[] = [
  { type: "session.put", session: sessionRow(sessionID, { title: "other" }) },
  { type: "message.put", message: assistantRow("msg_b", 2) },
  { type: "message.put", message: assistantRow("msg_a", 1, { finish: "stop" }) },
  { type: "message.delete", messageID: "msg_a" },
  { type: "message.promote", messageID: "msg_q", position: 7 },
  { type: "part.put", part: textPart("msg_a", "prt_3", "three") },
  { type: "part.put", part: textPart("msg_a", "prt_1", "other") },
  { type: "part.delete", messageID: "msg_a", partID: "prt_1" },
  { type: "part.append", messageID: "msg_a", partID: "prt_1", field: "text", offset: 3, text: " more" },
  { type: "part.append", messageID: "msg_a", partID: "prt_1", field: "text", offset: 0, text: "" },
  { type: "ask.put", ask: askRow("ask_2") },
  { type: "ask.put", ask: askRow("ask_1", { status: "closed" }) },
  { type: "ask.delete", askID: "ask_1" },
  { type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: 3 },
  { type: "artifact.put", artifact: artifactRow("art_1", "other") },
  { type: "artifact.append", artifactID: "art_1", offset: 2, text: " more" },
  { type: "artifact.delete", artifactID: "art_1" },
  { type: "prompt.admit", message: promptRow("msg_r"), parts: [textPart("msg_r", "prt_r")] },
  { type: "prompt.cancel", messageID: "msg_q", time: 3 },
  { type: "abort.request", abort: abortRow("abt_2") },
  { type: "abort.clear", abortID: "abt_1" },
];

/** None of these fits it. */
const conflicting: readonly [name: string, operation: Operation][] = [
  ["a session.put into another tree", { type: "session.put", session: sessionRow(sessionID, { parentID: "ses_2", rootID: "ses_2" }) }],
  ["a message.put at a taken position", { type: "message.put", message: assistantRow("msg_c", 1) }],
  ["a message.put that moves a message", { type: "message.put", message: assistantRow("msg_a", 9) }],
  ["a message.promote to a taken position", { type: "message.promote", messageID: "msg_q", position: 1 }],
  ["a message.promote of an answer", { type: "message.promote", messageID: "msg_a", position: 9 }],
  ["a part.put without its message", { type: "part.put", part: textPart("msg_9", "prt_9") }],
  ["a part.append behind the end", { type: "part.append", messageID: "msg_a", partID: "prt_1", field: "text", offset: 4, text: "x" }],
  ["a part.append to a part of no message", { type: "part.append", messageID: "msg_9", partID: "prt_1", field: "text", offset: 0, text: "x" }],
  ["an artifact.append behind the end", { type: "artifact.append", artifactID: "art_1", offset: 5, text: "x" }],
  ["a prompt.admit of a known message", { type: "prompt.admit", message: promptRow("msg_a"), parts: [] }],
  ["a prompt.cancel of an answer", { type: "prompt.cancel", messageID: "msg_a", time: 3 }],
  ["an ask.reply to nothing", { type: "ask.reply", askID: "ask_9", reply: { decision: "once" }, time: 3 }],
];

/** A word for each operation that tells those of one type apart. */
function nameOf(operation: Operation, index: number): string {
  const nth = accepted.slice(0, index + 1).filter(({ type }) => type === operation.type).length;
  return nth === 1 ? operation.type : `${operation.type} (${nth})`;
}

function leavesNothing(operation: Operation, index: number): ConformanceCase {
  return {
    name: `leaves nothing of ${nameOf(operation, index)} when what follows in its batch is refused`,
    run: async ({ storage }) => {
      const owner = await ownFullSession(storage);
      const before = await readFullSession(storage);
      await assertRejects(owner.write(operation, refused), "conflict", "The batch");
      assertEqual(await readFullSession(storage), before, "The store after a refused batch");
      // The same operation is accepted alone: it was not the reason, and the refusal has left no trace in its way.
      assertEqual(await owner.write(operation), 3, "The seq of the accepted batch that follows");
    },
  };
}

function undoes([name, operation]: readonly [name: string, operation: Operation]): ConformanceCase {
  return {
    name: `refuses with ${name} what stands before it`,
    run: async ({ storage }) => {
      const owner = await ownFullSession(storage);
      const before = await readFullSession(storage);
      const first: Operation = { type: "message.put", message: assistantRow("msg_n", 50) };
      const second: Operation = { type: "part.put", part: textPart("msg_n", "prt_n", "new") };
      await assertRejects(owner.write(first, second, operation), "conflict", name);
      assertEqual(await readFullSession(storage), before, "The store after a refused batch");
      assertEqual(await owner.write(first, second), 3, "The seq of the accepted batch that follows");
    },
  };
}

export const atomicityTopic: ConformanceTopic = {
  name: "atomicity",
  cases: [
    ...accepted.map(leavesNothing),
    ...conflicting.map(undoes),
    {
      name: "leaves nothing of a batch whose lease is lost, nor of one that contradicts itself",
      run: async ({ storage }) => {
        const owner = await ownFullSession(storage);
        const before = await readFullSession(storage);
        const admit: Operation = { type: "prompt.admit", message: promptRow("msg_r"), parts: [] };
        const lost = storage.commit({ sessionID, lease: { ...owner.lease, fence: owner.lease.fence + 1 }, operations: [admit] });
        await assertRejects(lost, "lease-lost", "A batch with a forged lease");
        const negative: Operation = { type: "artifact.append", artifactID: "art_1", offset: -1, text: "x" };
        await assertRejects(owner.write(admit, negative), "invalid-argument", "A batch with a negative offset");
        await assertRejects(commitUnleased(storage, admit, { type: "ask.delete", askID: "ask_1" }), "invalid-argument", "A batch that needs a lease");
        assertEqual(await readFullSession(storage), before, "The store after refused batches");
      },
    },
    {
      name: "creates a session and admits its first prompt in one batch",
      run: async ({ storage }) => {
        const admit: Operation = { type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "Hello")] };
        const seq = await commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID) }, admit);
        const queued = [{ info: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "Hello")] }];
        assertEqual([seq, await storage.inbox(sessionID)], [1, { seq: 1, queued, asks: [], aborts: [] }], "The seq and the inbox");
      },
    },
  ],
};
