import { assertConflict, assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readTranscriptIDs } from "./read-everything.ts";
import { assistantRow, promptRow, sessionID, textPart, toolPart } from "./rows.ts";

export const transcriptTopic: ConformanceTopic = {
  name: "transcript",
  cases: [
    {
      name: "lists messages newest first by position, whatever their ids, clocks and order of writing",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_a", 20, { time: { created: 3 } }) });
        await owner.write({ type: "message.put", message: assistantRow("msg_c", 10, { time: { created: 9 } }) });
        await owner.write({ type: "message.put", message: assistantRow("msg_b", 15, { time: { created: 1 } }) });
        assertEqual(await readTranscriptIDs(storage), ["msg_a", "msg_b", "msg_c"], "The transcript");
      },
    },
    {
      name: "holds promoted messages only; a promoted one has a position and no state",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const id of ["msg_1", "msg_2", "msg_3"])
          await commitUnleased(storage, { type: "prompt.admit", message: promptRow(id), parts: [textPart(id, `prt_${id}`, id)] });
        await commitUnleased(storage, { type: "prompt.cancel", messageID: "msg_3", time: 2 });
        await owner.write({ type: "message.promote", messageID: "msg_2", position: 4 });
        const expected = { info: promptRow("msg_2", { state: undefined, position: 4 }), parts: [textPart("msg_2", "prt_msg_2", "msg_2")] };
        assertEqual(await storage.listMessages(sessionID), { items: [expected] }, "The transcript");
      },
    },
    {
      name: "never gives a message another position, nor a position to two messages",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const first = promptRow("msg_1", { state: undefined, position: 1 });
        await owner.write({ type: "message.put", message: first }, { type: "message.put", message: promptRow("msg_2") });
        await assertConflict(
          owner.write({ type: "message.promote", messageID: "msg_1", position: 2 }),
          first,
          "a second promotion elsewhere",
        );
        await assertConflict(
          owner.write({ type: "message.put", message: promptRow("msg_1", { state: undefined, position: 2 }) }),
          first,
          "a put elsewhere",
        );
        await assertConflict(owner.write({ type: "message.put", message: promptRow("msg_1") }), first, "a put back into the queue");
        await assertConflict(
          owner.write({ type: "message.put", message: promptRow("msg_2", { state: undefined, position: 2 }) }),
          promptRow("msg_2"),
          "a put out of the queue",
        );
        await assertConflict(
          owner.write({ type: "message.promote", messageID: "msg_2", position: 1 }),
          first,
          "a promotion to a taken position",
        );
        await assertConflict(owner.write({ type: "message.put", message: assistantRow("msg_3", 1) }), first, "a put at a taken position");
        assertEqual(await readTranscriptIDs(storage), ["msg_1"], "The transcript");
      },
    },
    {
      name: "frees a position in the batch that deletes its message",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        await owner.write({ type: "message.delete", messageID: "msg_1" }, { type: "message.put", message: assistantRow("msg_2", 1) });
        assertEqual(await readTranscriptIDs(storage), ["msg_2"], "The transcript");
      },
    },
    {
      name: "keeps parts in order of creation, whatever their ids and later writes",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_b") },
        );
        await owner.write({ type: "part.put", part: toolPart("msg_1", "prt_c") }, { type: "part.put", part: textPart("msg_1", "prt_a") });
        await owner.write({ type: "part.put", part: textPart("msg_1", "prt_b", "written again") });
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1, { finish: "stop" }) });
        const [message] = (await storage.listMessages(sessionID)).items;
        assertEqual(
          message?.parts,
          [textPart("msg_1", "prt_b", "written again"), toolPart("msg_1", "prt_c"), textPart("msg_1", "prt_a")],
          "The parts",
        );
        await owner.write({ type: "part.delete", messageID: "msg_1", partID: "prt_b" });
        await owner.write({ type: "part.put", part: textPart("msg_1", "prt_b", "back") });
        const partIDs = (await storage.listMessages(sessionID)).items[0]?.parts.map((part) => part.id);
        assertEqual(partIDs, ["prt_c", "prt_a", "prt_b"], "The parts after one was deleted and put again");
      },
    },
    {
      name: "refuses a part of a message that does not exist",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await assertConflict(owner.write({ type: "part.put", part: textPart("msg_9", "prt_1") }), undefined, "a part in the air");
      },
    },
    {
      name: "knows the same message id apart in two sessions, and the same part id in two messages",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const other = await ownNewSession(storage, "ses_2");
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "message.put", message: assistantRow("msg_2", 2) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "one") },
          { type: "part.put", part: textPart("msg_2", "prt_1", "two") },
        );
        await other.write({ type: "message.put", message: assistantRow("msg_1", 1, { sessionID: "ses_2" }) });
        await other.write({ type: "message.delete", messageID: "msg_1" });
        const parts = (await storage.listMessages(sessionID)).items.map((message) => message.parts);
        assertEqual(parts, [[textPart("msg_2", "prt_1", "two")], [textPart("msg_1", "prt_1", "one")]], "The parts");
      },
    },
    {
      name: "pages backwards from a message, also from one that was deleted meanwhile",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (let position = 1; position <= 5; position += 1)
          await owner.write({ type: "message.put", message: assistantRow(`msg_${position}`, position) });
        const page = async (before?: string) => {
          const { items, cursor } = await storage.listMessages(sessionID, { before, limit: 2 });
          return { ids: items.map(({ info }) => info.id), cursor };
        };
        assertEqual(await page(), { ids: ["msg_5", "msg_4"], cursor: "msg_4" }, "The first page");
        assertEqual(await page("msg_4"), { ids: ["msg_3", "msg_2"], cursor: "msg_2" }, "The second page");
        assertEqual(await page("msg_2"), { ids: ["msg_1"] }, "The last page");
        assertEqual(await page("msg_3"), { ids: ["msg_2", "msg_1"] }, "A last page that is full");
        await owner.write({ type: "message.delete", messageID: "msg_4" });
        assertEqual(await page("msg_4"), { ids: ["msg_3", "msg_2"], cursor: "msg_2" }, "The page before a deleted message");
      },
    },
    {
      name: "has pages of 50 by default",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          ...Array.from({ length: 51 }, (_, index) => ({ type: "message.put" as const, message: assistantRow(`msg_${index}`, index) })),
        );
        assertEqual((await storage.listMessages(sessionID)).items.length, 50, "The length of a page");
      },
    },
    {
      name: "refuses an unknown session, a cursor that was never promoted and a limit that is no number of messages",
      run: async ({ storage }) => {
        await assertRejects(storage.listMessages(sessionID), "session-not-found", "An unknown session");
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: promptRow("msg_q") });
        for (const before of ["msg_9", "msg_q"])
          await assertRejects(storage.listMessages(sessionID, { before }), "invalid-argument", `before: ${before}`);
        for (const limit of [0, -1, 1.5])
          await assertRejects(storage.listMessages(sessionID, { limit }), "invalid-argument", `limit: ${limit}`);
      },
    },
    {
      name: "pages on while rows come, change and go: no message twice, none that stayed is missed",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const put = (position: number) => owner.write({ type: "message.put", message: assistantRow(`msg_${position}`, position) });
        for (let position = 1; position <= 8; position += 1) await put(position);
        const seen: string[] = [];
        const meanwhile = [
          () => put(9),
          () => owner.write({ type: "message.put", message: assistantRow("msg_2", 2, { finish: "stop" }) }, { type: "message.delete", messageID: "msg_3" }, { type: "message.delete", messageID: "msg_5" }),
        ];
        let before: string | undefined;
        do {
          const page = await storage.listMessages(sessionID, { before, limit: 2 });
          seen.push(...page.items.map(({ info }) => (info.role === "assistant" && info.finish !== undefined ? `${info.id} ${info.finish}` : info.id)));
          before = page.cursor;
          await meanwhile.shift()?.();
        } while (before !== undefined);
        assertEqual(seen, ["msg_8", "msg_7", "msg_6", "msg_5", "msg_4", "msg_2 stop", "msg_1"], "The messages");
      },
    },
    {
      name: "has no parts of a message that was deleted and came back",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1", "old") });
        await owner.write({ type: "message.delete", messageID: "msg_1" });
        const put = { type: "part.put" as const, part: textPart("msg_1", "prt_2") };
        await assertConflict(owner.write(put), undefined, "a part of a deleted message");
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 2) });
        assertEqual((await storage.listMessages(sessionID)).items, [{ info: assistantRow("msg_1", 2), parts: [] }], "The transcript");
      },
    },
    {
      name: "refuses a part in the batch that deletes its message",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        const batch = owner.write({ type: "message.delete", messageID: "msg_1" }, { type: "part.put", part: textPart("msg_1", "prt_2") });
        await assertConflict(batch, undefined, "a part behind the deletion of its message");
        assertEqual(await readTranscriptIDs(storage), ["msg_1"], "The transcript");
      },
    },
  ],
};
