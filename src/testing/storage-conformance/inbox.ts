import { assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { abortRow, askRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

export const inboxTopic: ConformanceTopic = {
  name: "inbox",
  cases: [
    {
      name: "is empty at first, and knows the session's seq",
      run: async ({ storage }) => {
        await commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID) });
        assertEqual(await storage.inbox(sessionID), { seq: 1, queued: [], asks: [], aborts: [] }, "The inbox");
      },
    },
    {
      name: "holds queued prompts in order of admission, whatever their ids and clocks, until promoted or cancelled",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const ids = ["msg_c", "msg_a", "msg_d", "msg_b"];
        for (const [index, id] of ids.entries()) {
          await commitUnleased(storage, {
            type: "prompt.admit",
            message: promptRow(id, { time: { created: 9 - index } }),
            parts: [textPart(id, `prt_${id}`, id)],
          });
        }
        const queued = async () =>
          (await storage.inbox(sessionID)).queued.map(({ info, parts }) => [info.id, ...parts.map((part) => part.id)]);
        assertEqual(
          await queued(),
          ids.map((id) => [id, `prt_${id}`]),
          "The queue",
        );
        await owner.write({ type: "message.promote", messageID: "msg_a", position: 1 });
        await commitUnleased(storage, { type: "prompt.cancel", messageID: "msg_d", time: 2 });
        assertEqual(
          await queued(),
          [
            ["msg_c", "prt_msg_c"],
            ["msg_b", "prt_msg_b"],
          ],
          "The queue afterwards",
        );
      },
    },
    {
      name: "holds open asks, and replied ones until they are closed or deleted",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const id of ["ask_b", "ask_a", "ask_c"]) await owner.write({ type: "ask.put", ask: askRow(id) });
        await commitUnleased(storage, { type: "ask.reply", askID: "ask_b", reply: { decision: "reject", message: "no" }, time: 2 });
        const asks = async () => (await storage.inbox(sessionID)).asks.map(({ id, status }) => [id, status]);
        assertEqual(
          await asks(),
          [
            ["ask_b", "replied"],
            ["ask_a", "open"],
            ["ask_c", "open"],
          ],
          "The asks",
        );
        await owner.write({ type: "ask.put", ask: askRow("ask_b", { status: "closed" }) }, { type: "ask.delete", askID: "ask_c" });
        assertEqual(await asks(), [["ask_a", "open"]], "The asks afterwards");
      },
    },
    {
      name: "holds abort requests in order, until the owner clears them",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const second = { ...abortRow("abt_a"), messageID: "msg_1", queue: "cancel" as const };
        await commitUnleased(storage, { type: "abort.request", abort: abortRow("abt_b") });
        await commitUnleased(storage, { type: "abort.request", abort: second });
        assertEqual((await storage.inbox(sessionID)).aborts, [abortRow("abt_b"), second], "The abort requests");
        await owner.write({ type: "abort.clear", abortID: "abt_b" });
        assertEqual((await storage.inbox(sessionID)).aborts, [second], "The abort requests afterwards");
      },
    },
    {
      name: "is not that of another session",
      run: async ({ storage }) => {
        await ownNewSession(storage);
        await ownNewSession(storage, "ses_2");
        await commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_1"), parts: [] });
        await commitUnleased(storage, { type: "abort.request", abort: abortRow("abt_1") });
        assertEqual(await storage.inbox("ses_2"), { seq: 1, queued: [], asks: [], aborts: [] }, "The other inbox");
      },
    },
    {
      name: "shows a foreign write as a gap in the owner's seq",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const before = await owner.write({ type: "ask.put", ask: askRow("ask_1") });
        await commitUnleased(storage, { type: "ask.reply", askID: "ask_1", reply: { decision: "answer", answers: ["yes"] }, time: 2 });
        const after = await owner.write({ type: "session.put", session: sessionRow(sessionID) });
        assertEqual(after, before + 2, "The owner's next seq");
        assertEqual((await storage.inbox(sessionID)).seq, after, "The inbox's seq");
      },
    },
    {
      name: "is refused for an unknown session",
      run: async ({ storage }) => {
        await assertRejects(storage.inbox(sessionID), "session-not-found", "The inbox of nothing");
      },
    },
    {
      name: "keeps a prompt in its place when its row or parts are put again, and drops one that is deleted",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const id of ["msg_b", "msg_a", "msg_c"]) await commitUnleased(storage, { type: "prompt.admit", message: promptRow(id), parts: [] });
        await owner.write({ type: "message.put", message: promptRow("msg_b", { agent: "other" }) }, { type: "part.put", part: textPart("msg_b", "prt_1", "late") });
        await owner.write({ type: "message.delete", messageID: "msg_a" });
        const expected = [
          { info: promptRow("msg_b", { agent: "other" }), parts: [textPart("msg_b", "prt_1", "late")] },
          { info: promptRow("msg_c"), parts: [] },
        ];
        assertEqual((await storage.inbox(sessionID)).queued, expected, "The queue");
      },
    },
  ],
};
