import type { Operation } from "../../storage/storage.ts";
import { assertConflict, assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

const ownerOperations: readonly Operation[] = [
  { type: "session.put", session: sessionRow(sessionID) },
  { type: "session.delete" },
  { type: "message.put", message: assistantRow("msg_1", 1) },
  { type: "message.delete", messageID: "msg_1" },
  { type: "message.promote", messageID: "msg_q", position: 1 },
  { type: "part.put", part: textPart("msg_q", "prt_1") },
  { type: "part.delete", messageID: "msg_q", partID: "prt_1" },
  { type: "part.append", messageID: "msg_q", partID: "prt_1", field: "text", offset: 0, text: "a" },
  { type: "ask.put", ask: askRow("ask_1") },
  { type: "ask.delete", askID: "ask_1" },
  { type: "artifact.put", artifact: artifactRow("art_1", "text") },
  { type: "artifact.append", artifactID: "art_1", offset: 0, text: "a" },
  { type: "artifact.delete", artifactID: "art_1" },
  { type: "abort.clear", abortID: "abt_1" },
];

const contradictions: readonly [name: string, operations: Operation[]][] = [
  ["a row of another session", [{ type: "message.put", message: assistantRow("msg_1", 1, { sessionID: "ses_2" }) }]],
  [
    "a creation that is not first",
    [
      { type: "abort.request", abort: abortRow("abt_1") },
      { type: "session.create", session: sessionRow(sessionID) },
    ],
  ],
  ["a deletion that is not alone", [{ type: "session.delete" }, { type: "abort.request", abort: abortRow("abt_1") }]],
  ["a message that neither waits nor has a place", [{ type: "message.put", message: promptRow("msg_1", { state: undefined }) }]],
  ["a queued message with a place", [{ type: "message.put", message: promptRow("msg_1", { position: 1 }) }]],
  [
    "the admission of a message that is not queued",
    [{ type: "prompt.admit", message: promptRow("msg_1", { state: "cancelled" }), parts: [] }],
  ],
  [
    "an admission with a part of another message",
    [{ type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_2", "prt_1")] }],
  ],
  ["a position that is no whole number", [{ type: "message.promote", messageID: "msg_q", position: 1.5 }]],
  [
    "a row that is deleted and put again",
    [
      { type: "part.delete", messageID: "msg_1", partID: "prt_1" },
      { type: "part.put", part: textPart("msg_1", "prt_1") },
    ],
  ],
  [
    "a message that is deleted and put again",
    [
      { type: "message.delete", messageID: "msg_1" },
      { type: "message.put", message: assistantRow("msg_1", 1) },
    ],
  ],
  [
    "an ask that is deleted and put again",
    [
      { type: "ask.delete", askID: "ask_1" },
      { type: "ask.put", ask: askRow("ask_1") },
    ],
  ],
  [
    "an artifact that is deleted and put again",
    [
      { type: "artifact.delete", artifactID: "art_1" },
      { type: "artifact.put", artifact: artifactRow("art_1", "text") },
    ],
  ],
  [
    "an abort that is cleared and requested again",
    [
      { type: "abort.clear", abortID: "abt_1" },
      { type: "abort.request", abort: abortRow("abt_1") },
    ],
  ],
  [
    "a message that is deleted and admitted again",
    [
      { type: "message.delete", messageID: "msg_1" },
      { type: "prompt.admit", message: promptRow("msg_1"), parts: [] },
    ],
  ],
  ["a row of another session (a part)", [{ type: "part.put", part: { ...textPart("msg_q", "prt_1"), sessionID: "ses_2" } }]],
  ["a row of another session (an ask)", [{ type: "ask.put", ask: askRow("ask_1", { sessionID: "ses_2" }) }]],
  ["a row of another session (an artifact)", [{ type: "artifact.put", artifact: artifactRow("art_1", "text", { sessionID: "ses_2" }) }]],
  ["a row of another session (a prompt)", [{ type: "prompt.admit", message: promptRow("msg_1", { sessionID: "ses_2" }), parts: [] }]],
  ["a row of another session (the session)", [{ type: "session.put", session: sessionRow("ses_2") }]],
  ["a negative position", [{ type: "message.put", message: assistantRow("msg_1", -1) }]],
  ["an offset that is no number", [{ type: "part.append", messageID: "msg_q", partID: "prt_1", field: "text", offset: Number.NaN, text: "a" }]],
  ["a negative offset", [{ type: "artifact.append", artifactID: "art_1", offset: -1, text: "a" }]],
];

export const guardsTopic: ConformanceTopic = {
  name: "guards",
  cases: [
    {
      name: "allow only guarded operations without a lease",
      run: async ({ storage }) => {
        await ownNewSession(storage);
        for (const operation of ownerOperations) {
          await assertRejects(commitUnleased(storage, operation), "invalid-argument", `${operation.type} without a lease`);
        }
        assertEqual((await storage.getSession(sessionID))?.seq, 1, "The seq");
      },
    },
    {
      name: "refuse a batch that contradicts itself",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const [name, operations] of contradictions) await assertRejects(owner.write(...operations), "invalid-argument", name);
        assertEqual((await storage.getSession(sessionID))?.seq, 1, "The seq");
      },
    },
    {
      name: "let one of many creations of the same session through",
      run: async ({ storage }) => {
        const create = (title: string) => commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID, { title }) });
        const outcomes = await Promise.allSettled([create("one"), create("two"), create("three")]);
        assertEqual(outcomes.filter(({ status }) => status === "fulfilled").length, 1, "The number of accepted creations");
      },
    },
    {
      name: "let one of many admissions of the same prompt through, and keep its content",
      run: async ({ storage }) => {
        await ownNewSession(storage);
        const admit = (text: string) =>
          commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", text)] });
        await admit("first");
        const existing = { info: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "first")] };
        await assertConflict(admit("second"), existing, "another prompt under the same id");
        assertEqual((await storage.inbox(sessionID)).queued, [existing], "The queue");
      },
    },
    {
      name: "want the parent of a child, and its tree",
      run: async ({ storage }) => {
        const child = (fields: { parentID?: string; rootID: string }) =>
          storage.commit({ sessionID: "ses_child", operations: [{ type: "session.create", session: sessionRow("ses_child", fields) }] });
        await assertRejects(child({ parentID: sessionID, rootID: sessionID }), "session-not-found", "A child without a parent");
        await ownNewSession(storage);
        await assertRejects(child({ parentID: sessionID, rootID: "ses_2" }), "invalid-argument", "A child in another tree");
        await assertRejects(child({ rootID: sessionID }), "invalid-argument", "A root with another root");
        await child({ parentID: sessionID, rootID: sessionID });
      },
    },
    {
      name: "refuse to move a session to another tree",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const moved = sessionRow(sessionID, { parentID: "ses_2", rootID: "ses_2" });
        await assertConflict(owner.write({ type: "session.put", session: moved }), sessionRow(sessionID, { seq: 1 }), "a new root");
      },
    },
    {
      name: "cancel a prompt only while it is queued",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const cancel = (messageID: string) => commitUnleased(storage, { type: "prompt.cancel", messageID, time: 5 });
        await owner.write(
          { type: "message.put", message: promptRow("msg_1") },
          { type: "message.put", message: promptRow("msg_2", { state: undefined, position: 1 }) },
        );
        await cancel("msg_1");
        const cancelled = promptRow("msg_1", { state: "cancelled", outcome: { type: "cancelled", time: 5 } });
        await assertConflict(cancel("msg_1"), cancelled, "a second cancellation");
        await assertConflict(
          cancel("msg_2"),
          promptRow("msg_2", { state: undefined, position: 1 }),
          "the cancellation of a promoted prompt",
        );
        await assertConflict(cancel("msg_9"), undefined, "the cancellation of nothing");
      },
    },
    {
      name: "promote a prompt only while it is queued",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_1"), parts: [] });
        await commitUnleased(storage, { type: "prompt.cancel", messageID: "msg_1", time: 5 });
        const cancelled = promptRow("msg_1", { state: "cancelled", outcome: { type: "cancelled", time: 5 } });
        const promote = owner.write({ type: "message.promote", messageID: "msg_1", position: 1 });
        await assertConflict(promote, cancelled, "the promotion of a cancelled prompt");
        await assertConflict(
          owner.write({ type: "message.promote", messageID: "msg_9", position: 1 }),
          undefined,
          "the promotion of nothing",
        );
      },
    },
    {
      name: "take one reply to an ask, and keep it",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "ask.put", ask: askRow("ask_1") });
        const reply = (decision: "once" | "always", time: number) =>
          commitUnleased(storage, { type: "ask.reply", askID: "ask_1", reply: { decision }, time });
        await reply("once", 7);
        const replied = askRow("ask_1", { status: "replied", reply: { decision: "once" }, time: { created: 1, replied: 7 } });
        await assertConflict(reply("always", 8), replied, "a second reply");
        assertEqual(await storage.listAsks(), [replied], "The asks");
        await owner.write({ type: "ask.put", ask: askRow("ask_1", { status: "closed" }) });
        await assertConflict(reply("once", 9), askRow("ask_1", { status: "closed" }), "a reply to a closed ask");
      },
    },
  ],
};
