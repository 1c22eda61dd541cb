import type { Operation } from "../../storage/storage.ts";
import { assertConflict, assertEqual, present } from "./assert.ts";
import type { ConformanceCase, ConformanceTopic } from "./conformance-case.ts";
import { fullSession, ownFullSession } from "./full-session.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readChanges, readTranscript } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";
import type { Storage } from "../../storage/storage.ts";

/** What the queries say, without the stamps, which a repetition may raise. */
async function readRows(storage: Storage): Promise<unknown> {
  const session = present(await storage.getSession(sessionID), "The session");
  const { queued, asks, aborts } = await storage.inbox(sessionID);
  const artifact = await storage.getArtifact(sessionID, "art_1");
  return { session: { ...session, seq: 0 }, messages: await readTranscript(storage), queued, asks, aborts, artifact };
}

/** An owner's operations are accepted twice, and the second time changes no row. */
function acceptedTwice(name: string, ...operations: Operation[]): ConformanceCase {
  return {
    name: `accepts twice, with one effect: ${name}`,
    run: async ({ storage }) => {
      const owner = await ownFullSession(storage);
      await owner.write(...operations);
      const once = await readRows(storage);
      await owner.write(...operations);
      assertEqual(await readRows(storage), once, "What is stored after the repetition");
    },
  };
}

export const repeatingTopic: ConformanceTopic = {
  name: "repeating a batch",
  cases: [
    acceptedTwice("session.put", { type: "session.put", session: sessionRow(sessionID, { title: "new" }) }),
    acceptedTwice(
      "message.put and part.put",
      { type: "message.put", message: assistantRow("msg_b", 2) },
      { type: "part.put", part: textPart("msg_b", "prt_b", "b") },
    ),
    acceptedTwice("part.put of the first of two parts", { type: "part.put", part: textPart("msg_a", "prt_1", "changed") }),
    acceptedTwice("message.delete", { type: "message.delete", messageID: "msg_a" }),
    acceptedTwice("message.promote", { type: "message.promote", messageID: "msg_q", position: 7 }),
    acceptedTwice("part.delete", { type: "part.delete", messageID: "msg_a", partID: "prt_1" }),
    acceptedTwice("part.append", { type: "part.append", messageID: "msg_a", partID: "prt_1", field: "text", offset: 3, text: " and more" }),
    acceptedTwice("ask.put", { type: "ask.put", ask: askRow("ask_2") }),
    acceptedTwice("ask.delete", { type: "ask.delete", askID: "ask_1" }),
    acceptedTwice(
      "artifact.put and artifact.append",
      { type: "artifact.put", artifact: artifactRow("art_1", "new") },
      { type: "artifact.append", artifactID: "art_1", offset: 3, text: "er" },
    ),
    acceptedTwice(
      "a cut and an addition behind it",
      { type: "part.append", messageID: "msg_a", partID: "prt_1", field: "text", offset: 1, text: "n" },
      { type: "part.append", messageID: "msg_a", partID: "prt_1", field: "text", offset: 2, text: "ce" },
    ),
    acceptedTwice(
      "rows that are made and deleted",
      { type: "message.put", message: assistantRow("msg_b", 2) },
      { type: "part.put", part: textPart("msg_b", "prt_b", "b") },
      { type: "message.delete", messageID: "msg_b" },
      { type: "ask.put", ask: askRow("ask_2") },
      { type: "ask.delete", askID: "ask_2" },
      { type: "artifact.put", artifact: artifactRow("art_2", "b") },
      { type: "artifact.delete", artifactID: "art_2" },
    ),
    acceptedTwice(
      "a promotion and the writes to the promoted prompt",
      { type: "message.promote", messageID: "msg_q", position: 7 },
      { type: "message.put", message: promptRow("msg_q", { state: undefined, position: 7, outcome: { type: "answered", time: 2 } }) },
      { type: "part.put", part: textPart("msg_q", "prt_q", "q") },
    ),
    acceptedTwice("a put of every row that is there", ...fullSession),
    acceptedTwice("artifact.delete", { type: "artifact.delete", artifactID: "art_1" }),
    acceptedTwice("abort.clear", { type: "abort.clear", abortID: "abt_1" }),
    acceptedTwice("abort.request", { type: "abort.request", abort: abortRow("abt_2") }),
    acceptedTwice(
      "deleting what never was",
      { type: "message.delete", messageID: "msg_9" },
      { type: "part.delete", messageID: "msg_9", partID: "prt_9" },
      { type: "ask.delete", askID: "ask_9" },
    ),
    {
      name: "does not revive an abort request that was carried out",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await commitUnleased(storage, { type: "abort.request", abort: abortRow("abt_1") });
        await owner.write({ type: "abort.clear", abortID: "abt_1" });
        await commitUnleased(storage, { type: "abort.request", abort: abortRow("abt_1") });
        assertEqual((await storage.inbox(sessionID)).aborts, [], "The abort requests");
      },
    },
    {
      name: "refuses a guarded operation the second time, with the row that it wrote itself",
      run: async ({ storage }) => {
        const create: Operation = { type: "session.create", session: sessionRow(sessionID) };
        await commitUnleased(storage, create);
        await assertConflict(commitUnleased(storage, create), sessionRow(sessionID, { seq: 1 }), "a second creation");
        const message = promptRow("msg_1");
        const admit: Operation = { type: "prompt.admit", message, parts: [textPart("msg_1", "prt_1", "Hello")] };
        await commitUnleased(storage, admit);
        await assertConflict(
          commitUnleased(storage, admit),
          { info: message, parts: [textPart("msg_1", "prt_1", "Hello")] },
          "a second admission",
        );
        assertEqual((await readChanges(storage, 0)).seq, 2, "The seq after two refusals");
      },
    },
    {
      name: "refuses a second cancellation and a second reply with the row that the first has written",
      run: async ({ storage }) => {
        await ownFullSession(storage);
        const cancel: Operation = { type: "prompt.cancel", messageID: "msg_q", time: 5 };
        await commitUnleased(storage, cancel);
        const cancelled = promptRow("msg_q", { state: "cancelled", outcome: { type: "cancelled", time: 5 } });
        await assertConflict(commitUnleased(storage, cancel), cancelled, "a second cancellation");
        const reply: Operation = { type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: 6 };
        await commitUnleased(storage, reply);
        const replied = askRow("ask_1", { status: "replied", reply: { decision: "once" }, time: { created: 1, replied: 6 } });
        await assertConflict(commitUnleased(storage, reply), replied, "a second reply");
        assertEqual((await storage.getSession(sessionID))?.seq, 4, "The seq after two refusals");
      },
    },
  ],
};
