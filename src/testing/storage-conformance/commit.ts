import { assert, assertConflict, assertEqual, assertRejects, present } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readEverything, readTranscript } from "./read-everything.ts";
import { artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

export const commitTopic: ConformanceTopic = {
  name: "commit",
  cases: [
    {
      name: "raises the session's seq by one, whoever commits, and tells it",
      run: async ({ storage }) => {
        assertEqual(await commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID) }), 1, "seq after the creation");
        assertEqual(
          await commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_1"), parts: [] }),
          2,
          "seq after an admission",
        );
        assertEqual((await storage.getSession(sessionID))?.seq, 2, "seq of the session's row");
      },
    },
    {
      name: "raises the seq by one for many operations, and counts each session apart",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await ownNewSession(storage, "ses_2");
        const seq = await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "a") },
          { type: "part.put", part: textPart("msg_1", "prt_2", "b") },
        );
        assertEqual(seq, 2, "seq after one batch of three operations");
        assertEqual((await storage.getSession("ses_2"))?.seq, 1, "seq of the other session");
      },
    },
    {
      name: "replaces whole rows",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "session.put", session: sessionRow(sessionID, { directory: "/tmp", title: "one" }) });
        await owner.write({ type: "session.put", session: sessionRow(sessionID, { title: "two", seq: 99 }) });
        const session = present(await storage.getSession(sessionID), "The session");
        assertEqual(session, sessionRow(sessionID, { title: "two", seq: 3 }), "The session's row, with the store's seq");
      },
    },
    {
      name: "applies operations in order, each on what the ones before it made",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "Hello")] },
          { type: "message.promote", messageID: "msg_1", position: 1 },
          { type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 5, text: " you" },
          { type: "message.put", message: assistantRow("msg_2", 2) },
          { type: "message.delete", messageID: "msg_2" },
          { type: "message.put", message: assistantRow("msg_3", 2) },
        );
        const texts = (await readTranscript(storage)).map(({ info, parts }) => [
          info.id,
          ...parts.map((part) => "text" in part && part.text),
        ]);
        assertEqual(texts, [["msg_3"], ["msg_1", "Hello you"]], "The transcript");
      },
    },
    {
      name: "writes nothing at all when the last guard of a batch fails",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "text") },
          { type: "ask.put", ask: askRow("ask_1") },
          { type: "artifact.put", artifact: artifactRow("art_1", "full") },
        );
        const before = await readEverything(storage);
        const batch = owner.write(
          { type: "session.put", session: sessionRow(sessionID, { title: "other" }) },
          { type: "message.put", message: assistantRow("msg_2", 2) },
          { type: "part.put", part: textPart("msg_2", "prt_2") },
          { type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 4, text: " more" },
          { type: "prompt.admit", message: promptRow("msg_3"), parts: [textPart("msg_3", "prt_3")] },
          { type: "ask.delete", askID: "ask_1" },
          { type: "artifact.append", artifactID: "art_1", offset: 4, text: " more" },
          { type: "abort.request", abort: { id: "abt_1", queue: "keep", time: 1 } },
          { type: "message.delete", messageID: "msg_1" },
          { type: "prompt.cancel", messageID: "msg_9", time: 2 },
        );
        await assertConflict(batch, undefined, "the cancellation of a message that does not exist");
        assertEqual(await readEverything(storage), before, "The store after a refused batch");
        assertEqual((await storage.getArtifact(sessionID, "art_1"))?.text, "full", "The artifact after a refused batch");
      },
    },
    {
      name: "leaves nothing behind of a refused creation",
      run: async ({ storage }) => {
        const create = { type: "session.create" as const, session: sessionRow(sessionID) };
        const cancel = { type: "prompt.cancel" as const, messageID: "msg_9", time: 2 };
        await assertRejects(commitUnleased(storage, create, cancel), "conflict", "A batch with a failing guard");
        assertEqual(await storage.getSession(sessionID), undefined, "The session after a refused batch");
        assertEqual((await storage.listSessions()).items, [], "The list of sessions after a refused batch");
        assertEqual(await commitUnleased(storage, create), 1, "seq of the creation that follows");
      },
    },
    {
      name: "serves commits that are made at the same time one after the other",
      run: async ({ storage }) => {
        await ownNewSession(storage);
        const ids = Array.from({ length: 10 }, (_, index) => `msg_${index}`);
        const seqs = await Promise.all(
          ids.map((id) => commitUnleased(storage, { type: "prompt.admit", message: promptRow(id), parts: [] })),
        );
        assertEqual(
          seqs.toSorted((a, b) => a - b),
          ids.map((_, index) => index + 2),
          "The seqs, sorted",
        );
        assertEqual((await storage.inbox(sessionID)).queued.length, ids.length, "The number of queued prompts");
      },
    },
    {
      name: "refuses a session that does not exist",
      run: async ({ storage }) => {
        const operation = { type: "prompt.admit" as const, message: promptRow("msg_1"), parts: [] };
        await assertRejects(commitUnleased(storage, operation), "session-not-found", "A prompt for an unknown session");
        const seq = (await storage.getSession(sessionID))?.seq;
        assert(seq === undefined, "The refused prompt made a session.");
      },
    },
  ],
};
