import { assert, assertConflict, assertEqual } from "./assert.ts";
import { capability } from "./capability.ts";
import type { ConformanceStore, ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession, ownSession } from "./owner.ts";
import { ownFullSession } from "./full-session.ts";
import { changesByStamp, readChanges, readEverything } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";
import type { Operation, Storage } from "../../storage/storage.ts";

async function reopened(store: ConformanceStore, test: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await capability(store.reopen?.bind(store), "reopen")();
  try {
    await test(storage);
  } finally {
    await storage.close();
  }
}

export const reopeningTopic: ConformanceTopic = {
  name: "reopening",
  cases: [
    {
      name: "finds everything as it was",
      needs: "reopen",
      run: async (store) => {
        const owner = await ownNewSession(store.storage);
        for (const id of ["msg_c", "msg_a"])
          await commitUnleased(store.storage, { type: "prompt.admit", message: promptRow(id), parts: [textPart(id, `prt_${id}`, "text")] });
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_b", "one") },
          { type: "part.put", part: textPart("msg_1", "prt_a", "two") },
          { type: "ask.put", ask: askRow("ask_1") },
          { type: "artifact.put", artifact: artifactRow("art_1", "full") },
          { type: "abort.request", abort: abortRow("abt_1") },
        );
        await owner.write(
          { type: "part.append", messageID: "msg_1", partID: "prt_b", field: "text", offset: 3, text: " and more" },
          { type: "ask.delete", askID: "ask_1" },
        );
        const before = await readEverything(store.storage);
        await reopened(store, async (storage) => {
          assertEqual(await readEverything(storage), before, "What the reopened store says");
          assertEqual((await storage.getArtifact(sessionID, "art_1"))?.text, "full", "The artifact");
        });
      },
    },
    {
      name: "keeps leases and fences, so that a dead owner's late write is refused",
      needs: "reopen",
      run: async (store) => {
        const first = await ownNewSession(store.storage);
        await store.storage.releaseLease(first.lease);
        await reopened(store, async (storage) => {
          const second = await ownSession(storage, sessionID, "own_2");
          assert(second.lease.fence > first.lease.fence, "The fence did not grow over a restart.");
        });
      },
    },
    {
      name: "remembers a deleted session: its seq and fence go on",
      needs: "reopen",
      run: async (store) => {
        const first = await ownNewSession(store.storage);
        await first.write({ type: "session.delete" });
        await reopened(store, async (storage) => {
          assertEqual(await storage.getSession(sessionID), undefined, "The deleted session");
          assertEqual(
            await commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID) }),
            3,
            "The seq of the second creation",
          );
          const second = await ownSession(storage, sessionID, "own_1");
          assert(second.lease.fence > first.lease.fence, "The fence did not grow over a deletion and a restart.");
        });
      },
    },
    {
      name: "goes on where it was: order, seq, feed, guards and the knowledge of aborts that were carried out",
      needs: "reopen",
      run: async (store) => {
        const first = await ownFullSession(store.storage);
        await first.write({ type: "abort.clear", abortID: "abt_1" }, { type: "part.delete", messageID: "msg_a", partID: "prt_1" });
        await store.storage.releaseLease(first.lease);
        await reopened(store, async (storage) => {
          const owner = await ownSession(storage, sessionID, "own_2");
          await owner.write({ type: "part.put", part: textPart("msg_a", "prt_0", "late") }, { type: "prompt.admit", message: promptRow("msg_b"), parts: [] });
          assertEqual((await storage.listMessages(sessionID)).items[0]?.parts.map(({ id }) => id), ["prt_2", "prt_0"], "The parts");
          await commitUnleased(storage, { type: "abort.request", abort: abortRow("abt_1") });
          const { seq, queued, aborts } = await storage.inbox(sessionID);
          assertEqual([seq, queued.map(({ info }) => info.id), aborts], [5, ["msg_q", "msg_b"], []], "The seq, the queue and the aborts");
          assertEqual(changesByStamp((await readChanges(storage, 2)).changes), ["3: part.deleted prt_1", "4: message msg_b, part prt_0"], "The feed after the restart");
        });
      },
    },
    {
      name: "refuses a guarded operation that was accepted before the restart, with its row",
      needs: "reopen",
      run: async (store) => {
        const admit: Operation = { type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "Hello")] };
        await ownNewSession(store.storage);
        await commitUnleased(store.storage, admit);
        await reopened(store, async (storage) => {
          await assertConflict(commitUnleased(storage, admit), { info: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "Hello")] }, "a second admission");
        });
      },
    },
    {
      name: "keeps the order of sessions, and old cursors of the transcript",
      needs: "reopen",
      run: async (store) => {
        const owner = await ownNewSession(store.storage);
        await ownNewSession(store.storage, "ses_2");
        for (const position of [1, 2, 3]) await owner.write({ type: "message.put", message: assistantRow(`msg_${position}`, position) });
        await owner.write({ type: "message.delete", messageID: "msg_2" });
        await reopened(store, async (storage) => {
          assertEqual((await storage.listSessions()).items.map(({ id }) => id), [sessionID, "ses_2"], "The sessions");
          assertEqual((await storage.listMessages(sessionID, { before: "msg_2" })).items.map(({ info }) => info.id), ["msg_1"], "The page before a message that was deleted");
        });
      },
    },
  ],
};
