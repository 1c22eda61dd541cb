import type { Storage } from "../../storage/storage.ts";
import { assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { changeName, changesByStamp, readChanges } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

async function feedAfter(storage: Storage, after: number): Promise<string[]> {
  return changesByStamp((await readChanges(storage, after)).changes);
}

export const changeFeedTopic: ConformanceTopic = {
  name: "change feed",
  cases: [
    {
      name: "tells the rows as they are now, each once, in order of their newest stamp",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        await owner.write({ type: "message.put", message: assistantRow("msg_2", 2) });
        await owner.write({ type: "ask.put", ask: askRow("ask_1") });
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1, { finish: "stop" }) });
        assertEqual(await feedAfter(storage, 0), ["1: session ses_1", "3: message msg_2", "4: ask ask_1", "5: message msg_1"], "The feed");
        const last = (await readChanges(storage, 4)).changes;
        assertEqual(last, [{ seq: 5, type: "message", message: assistantRow("msg_1", 1, { finish: "stop" }) }], "The last change");
      },
    },
    {
      name: "tells only what changed after the given seq, and nothing at its end",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "a") },
        );
        await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 1, text: "b" });
        const page = await readChanges(storage, 2);
        assertEqual(page.changes.map(changeName), ["part prt_1"], "The changes");
        const [change] = page.changes;
        assertEqual(change?.type === "part" && change.part, textPart("msg_1", "prt_1", "ab"), "The part");
        assertEqual(await readChanges(storage, 3), { changes: [], seq: 3, more: false }, "The end of the feed");
      },
    },
    {
      name: "tells of the writes of everybody: admission, cancellation, promotion, reply",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "ask.put", ask: askRow("ask_1") });
        for (const id of ["msg_1", "msg_2"])
          await commitUnleased(storage, { type: "prompt.admit", message: promptRow(id), parts: [textPart(id, `prt_${id}`)] });
        await commitUnleased(storage, { type: "prompt.cancel", messageID: "msg_1", time: 2 });
        await commitUnleased(storage, { type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: 3 });
        await owner.write({ type: "message.promote", messageID: "msg_2", position: 1 });
        const expected = ["3: part prt_msg_1", "4: part prt_msg_2", "5: message msg_1", "6: ask ask_1", "7: message msg_2"];
        assertEqual(await feedAfter(storage, 2), expected, "The feed");
      },
    },
    {
      name: "gives the place of a part among its message's parts, also when an older one changed last",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        for (const id of ["prt_b", "prt_a", "prt_c"]) await owner.write({ type: "part.put", part: textPart("msg_1", id) });
        const before = new Map(
          (await readChanges(storage, 2)).changes.flatMap((change) => (change.type === "part" ? [[change.part.id, change.position]] : [])),
        );
        await owner.write({ type: "part.put", part: textPart("msg_1", "prt_b", "again") });
        const parts = (await readChanges(storage, 2)).changes.flatMap((change) => (change.type === "part" ? [change] : []));
        assertEqual(
          parts.map(({ part }) => part.id),
          ["prt_a", "prt_c", "prt_b"],
          "The feed",
        );
        for (const { part, position } of parts)
          assertEqual(position, before.get(part.id), `The position of ${part.id}, which never changes`);
        const inPlace = parts.toSorted((a, b) => a.position - b.position).map(({ part }) => part.id);
        assertEqual(inPlace, ["prt_b", "prt_a", "prt_c"], "The parts by position");
      },
    },
    {
      name: "leaves a tombstone of each row that is gone, also of a message's parts",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1") },
        );
        await owner.write(
          { type: "message.put", message: assistantRow("msg_2", 2) },
          { type: "part.put", part: textPart("msg_2", "prt_2") },
        );
        await owner.write({ type: "ask.put", ask: askRow("ask_1") });
        await owner.write({ type: "message.delete", messageID: "msg_1" });
        await owner.write({ type: "part.delete", messageID: "msg_2", partID: "prt_2" }, { type: "ask.delete", askID: "ask_1" });
        const expected = ["5: message.deleted msg_1, part.deleted prt_1", "6: ask.deleted ask_1, part.deleted prt_2"];
        assertEqual(await feedAfter(storage, 4), expected, "The feed");
      },
    },
    {
      name: "tells of a row that came back, and no more of its deletion",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1") },
        );
        await owner.write({ type: "message.delete", messageID: "msg_1" });
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 5) });
        assertEqual(await feedAfter(storage, 2), ["3: part.deleted prt_1", "4: message msg_1"], "The feed");
      },
    },
    {
      name: "comes in pages that never end within one commit",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const index of [1, 2, 3])
          await owner.write(
            { type: "message.put", message: assistantRow(`msg_${index}`, index) },
            { type: "part.put", part: textPart(`msg_${index}`, `prt_${index}`) },
          );
        const page = async (after: number) => {
          const { changes, seq, more } = await storage.changes(sessionID, { after, limit: 2 });
          return { stamps: changesByStamp(changes), seq, more };
        };
        assertEqual(await page(0), { stamps: ["1: session ses_1", "2: message msg_1, part prt_1"], seq: 2, more: true }, "The first page");
        assertEqual(await page(2), { stamps: ["3: message msg_2, part prt_2"], seq: 3, more: true }, "The second page");
        assertEqual(await page(3), { stamps: ["4: message msg_3, part prt_3"], seq: 4, more: false }, "The last page");
      },
    },
    {
      name: "tells the session's own row with the current seq",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "session.put", session: sessionRow(sessionID, { title: "new" }) });
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        const [change] = (await readChanges(storage, 1)).changes;
        assertEqual(change, { seq: 2, type: "session", session: sessionRow(sessionID, { title: "new", seq: 3 }) }, "The session's change");
      },
    },
    {
      name: "leaves artifacts and abort requests out",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "text") });
        await commitUnleased(storage, { type: "abort.request", abort: abortRow("abt_1") });
        assertEqual(await readChanges(storage, 1), { changes: [], seq: 3, more: false }, "The feed");
      },
    },
    {
      name: "says reset, without changes, when the seq is from another history",
      run: async ({ storage }) => {
        await ownNewSession(storage);
        assertEqual(await readChanges(storage, 2), { changes: [], seq: 1, more: false, reset: true }, "The feed after an unknown seq");
      },
    },
    {
      name: "refuses an unknown session and a seq that is none",
      run: async ({ storage }) => {
        await assertRejects(readChanges(storage, 0), "session-not-found", "An unknown session");
        await ownNewSession(storage);
        for (const after of [-1, 0.5, Number.NaN]) await assertRejects(readChanges(storage, after), "invalid-argument", `after: ${after}`);
      },
    },
    {
      name: "refuses a limit that is no number of changes, and takes 500 as the default",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const limit of [0, -1, 1.5]) await assertRejects(storage.changes(sessionID, { after: 0, limit }), "invalid-argument", `limit: ${limit}`);
        const part = (batch: number, index: number) => ({ type: "part.put" as const, part: textPart("msg_1", `prt_${batch}_${index}`) });
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
        for (let batch = 0; batch < 3; batch += 1) await owner.write(...Array.from({ length: 300 }, (_, index) => part(batch, index)));
        const page = await storage.changes(sessionID, { after: 0 });
        assertEqual([page.seq, page.more, page.changes.length], [4, true, 602], "The first page: its seq, whether more waits, its length");
        const rest = await storage.changes(sessionID, { after: page.seq });
        assertEqual([rest.seq, rest.more, rest.changes.length], [5, false, 300], "The second page");
      },
    },
    {
      name: "tells in one page what one commit has changed, however much it is",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, ...Array.from({ length: 40 }, (_, index) => ({ type: "part.put" as const, part: textPart("msg_1", `prt_${index}`) })));
        const page = await storage.changes(sessionID, { after: 1, limit: 1 });
        assertEqual([page.changes.length, page.seq, page.more], [41, 2, false], "The length of the page, its seq, and whether more waits");
        const expected = ["message msg_1", ...Array.from({ length: 40 }, (_, index) => `part prt_${index}`)];
        assertEqual(page.changes.map(changeName).toSorted(), expected.toSorted(), "The changes, sorted");
      },
    },
  ],
};
