import type { Operation, Storage } from "../../storage/storage.ts";
import { assert, assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession, ownSession } from "./owner.ts";
import { ownFullSession } from "./full-session.ts";
import { changeName, readChanges, readEverything, readTranscriptIDs } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

const create = { type: "session.create" as const, session: sessionRow(sessionID) };
const remove = { type: "session.delete" as const };

/** What a late owner, or somebody who does not know yet, may want of the session. */
const lateWrites: readonly Operation[] = [
  { type: "session.put", session: sessionRow(sessionID) },
  { type: "message.put", message: assistantRow("msg_1", 1) },
  { type: "message.delete", messageID: "msg_1" },
  { type: "message.promote", messageID: "msg_q", position: 2 },
  { type: "part.put", part: textPart("msg_1", "prt_1", "text") },
  { type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 4, text: " more" },
  { type: "part.delete", messageID: "msg_1", partID: "prt_1" },
  { type: "ask.put", ask: askRow("ask_1") },
  { type: "ask.delete", askID: "ask_1" },
  { type: "artifact.put", artifact: artifactRow("art_1", "text") },
  { type: "artifact.append", artifactID: "art_1", offset: 4, text: " more" },
  { type: "artifact.delete", artifactID: "art_1" },
  { type: "abort.clear", abortID: "abt_1" },
  { type: "prompt.admit", message: promptRow("msg_r"), parts: [] },
  { type: "prompt.cancel", messageID: "msg_q", time: 2 },
  { type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: 2 },
  { type: "abort.request", abort: abortRow("abt_2") },
];

async function createChild(storage: Storage, id: string, parentID: string): Promise<void> {
  const session = sessionRow(id, { parentID, rootID: sessionID });
  await storage.commit({ sessionID: id, operations: [{ type: "session.create", session }] });
}

export const deletionTopic: ConformanceTopic = {
  name: "deleting a session",
  cases: [
    {
      name: "takes messages, parts, asks and artifacts along",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "text") },
          { type: "ask.put", ask: askRow("ask_1") },
          { type: "artifact.put", artifact: artifactRow("art_1", "text") },
        );
        assertEqual(await owner.write(remove), 3, "The seq of the deletion");
        assertEqual(await storage.getSession(sessionID), undefined, "The session");
        assertEqual((await storage.listSessions()).items, [], "The list of sessions");
        assertEqual(await storage.listAsks(), [], "The asks");
        assertEqual(await storage.getArtifact(sessionID, "art_1"), undefined, "The artifact");
        await assertRejects(storage.listMessages(sessionID), "session-not-found", "The transcript of a deleted session");
        await assertRejects(storage.inbox(sessionID), "session-not-found", "The inbox of a deleted session");
      },
    },
    {
      name: "takes children of any depth along, and leaves other sessions",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await ownNewSession(storage, "ses_2");
        await createChild(storage, "ses_child", sessionID);
        await createChild(storage, "ses_grandchild", "ses_child");
        await createChild(storage, "ses_sibling", sessionID);
        await storage.commit({ sessionID: "ses_child", lease: owner.lease, operations: [remove] });
        const ids = async () => (await storage.listSessions()).items.map(({ id }) => id).toSorted();
        assertEqual(await ids(), [sessionID, "ses_2", "ses_sibling"], "The sessions after the deletion of a child");
        assertEqual(
          (await readChanges(storage, 0, "ses_grandchild")).changes.map(changeName),
          ["session.deleted ses_grandchild"],
          "The grandchild's feed",
        );
        await owner.write(remove);
        assertEqual(await ids(), ["ses_2"], "The sessions after the deletion of the root");
      },
    },
    {
      name: "leaves a tombstone in the change feed",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        await owner.write(remove);
        const tombstone = { seq: 3, type: "session.deleted", sessionID };
        for (const after of [0, 1, 2])
          assertEqual(await readChanges(storage, after), { changes: [tombstone], seq: 3, more: false }, `The feed after ${after}`);
        assertEqual(await readChanges(storage, 3), { changes: [], seq: 3, more: false }, "The feed's end");
        assertEqual(await readChanges(storage, 4), { changes: [], seq: 3, more: false, reset: true }, "The feed after an unknown seq");
      },
    },
    {
      name: "lets no late owner and nobody else write",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(remove);
        await assertRejects(owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }), "session-not-found", "A late write");
        const admit = { type: "prompt.admit" as const, message: promptRow("msg_1"), parts: [] };
        await assertRejects(commitUnleased(storage, admit), "session-not-found", "A late prompt");
        await assertRejects(storage.acquireLease(sessionID, "own_1", 1_000), "session-not-found", "A lease on a deleted session");
        assertEqual(await storage.releaseLease(owner.lease), false, "The release of the lease that ended with it");
      },
    },
    {
      name: "may be repeated, and changes nothing then",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        assertEqual(await owner.write(remove), 2, "The seq of the deletion");
        assertEqual(await owner.write(remove), 2, "The seq of its repetition");
        assertEqual((await readChanges(storage, 0)).seq, 2, "The feed's seq");
      },
    },
    {
      name: "needs the lease, and a session",
      run: async ({ storage }) => {
        const other = await ownNewSession(storage, "ses_2");
        const unknown = storage.commit({ sessionID, lease: other.lease, operations: [remove] });
        await assertRejects(unknown, "session-not-found", "The deletion of nothing");
        await ownNewSession(storage);
        const foreign = storage.commit({ sessionID, lease: other.lease, operations: [remove] });
        await assertRejects(foreign, "lease-lost", "The deletion with the lease of another tree");
        assertEqual((await storage.getSession(sessionID))?.seq, 1, "The seq");
      },
    },
    {
      name: "lets the session be created again: empty, with a seq and a fence that go on",
      run: async ({ storage }) => {
        const late = await ownNewSession(storage);
        await late.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        await late.write(remove);
        assertEqual(await commitUnleased(storage, create), 4, "The seq of the second creation");
        assertEqual(await readTranscriptIDs(storage), [], "The transcript");
        await assertRejects(
          late.write({ type: "message.put", message: assistantRow("msg_1", 1) }),
          "lease-lost",
          "A write of the late owner",
        );
        const owner = await ownSession(storage, sessionID, "own_1");
        assert(owner.lease.fence > late.lease.fence, "The fence did not grow over the deletion.");
        assertEqual(await owner.write({ type: "message.put", message: assistantRow("msg_2", 1) }), 5, "The seq that follows");
      },
    },
    {
      name: "makes the feed of a session that was created again say reset to who knows the old one",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        await owner.write(remove);
        await commitUnleased(storage, create);
        for (const after of [1, 2]) assertEqual((await readChanges(storage, after)).reset, true, `reset after ${after}`);
        for (const after of [0, 3]) {
          const { changes, reset } = await readChanges(storage, after);
          assertEqual([changes.map(changeName), reset ?? false], [[`session ${sessionID}`], false], `The feed after ${after}`);
        }
      },
    },
    {
      name: "is final: no kind of late write brings anything back",
      run: async ({ storage }) => {
        const owner = await ownFullSession(storage);
        await owner.write(remove);
        for (const operation of lateWrites) {
          await assertRejects(owner.write(operation), "session-not-found", `A late ${operation.type}`);
          assertEqual(await storage.getSession(sessionID), undefined, `The session after a late ${operation.type}`);
        }
        assertEqual([(await storage.listSessions()).items, await storage.listAsks(), await storage.getArtifact(sessionID, "art_1")], [[], [], undefined], "What is left");
        assertEqual((await readChanges(storage, 0)).seq, 3, "The feed's seq");
      },
    },
    {
      name: "keeps a late owner out of the session that was created again, by its fence",
      run: async ({ storage }) => {
        const late = await ownFullSession(storage);
        await late.write(remove);
        await commitUnleased(storage, create);
        const before = await readEverything(storage);
        for (const operation of lateWrites) await assertRejects(late.write(operation), "lease-lost", `A late ${operation.type}`);
        await assertRejects(late.write(remove), "lease-lost", "A late deletion");
        assertEqual(await readEverything(storage), before, "The new session");
        assertEqual(await storage.getArtifact(sessionID, "art_1"), undefined, "The artifact of the old session");
      },
    },
    {
      name: "lets the fence and the seq grow over many deletions",
      run: async ({ storage }) => {
        let last = { fence: 0, seq: 0 };
        for (let round = 1; round <= 4; round += 1) {
          const owner = await ownNewSession(storage);
          assert(owner.lease.fence > last.fence, `The fence did not grow in round ${round}.`);
          assertEqual(owner.lease.seq, last.seq + 1, `The seq of creation ${round}`);
          last = { fence: owner.lease.fence, seq: await owner.write(remove) };
        }
        assertEqual(last.seq, 8, "The last seq");
      },
    },
    {
      name: "of a child leaves the lease and the parent, and no child can be made under what is gone",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await createChild(storage, "ses_child", sessionID);
        await storage.commit({ sessionID: "ses_child", lease: owner.lease, operations: [remove] });
        assertEqual(await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }), 2, "The parent's next seq");
        await assertRejects(createChild(storage, "ses_grandchild", "ses_child"), "session-not-found", "A child of a deleted session");
        await createChild(storage, "ses_child", sessionID);
        assertEqual((await storage.getSession("ses_child"))?.seq, 3, "The seq of the child that was created again");
        await owner.write(remove);
        await assertRejects(createChild(storage, "ses_child", sessionID), "session-not-found", "A child of a deleted root");
      },
    },
    {
      name: "of a root ends the rights to its children, and repeating it leaves a child that was made meanwhile",
      run: async ({ storage }) => {
        const late = await ownNewSession(storage);
        await createChild(storage, "ses_child", sessionID);
        await late.write(remove);
        await commitUnleased(storage, create);
        await createChild(storage, "ses_child", sessionID);
        const message = assistantRow("msg_1", 1, { sessionID: "ses_child" });
        const write = storage.commit({ sessionID: "ses_child", lease: late.lease, operations: [{ type: "message.put", message }] });
        await assertRejects(write, "lease-lost", "A late write to the child");
        await assertRejects(late.write(remove), "lease-lost", "The repeated deletion");
        assertEqual((await storage.listSessions()).items.map(({ id }) => id), ["ses_child", sessionID], "The sessions");
      },
    },
  ],
};
