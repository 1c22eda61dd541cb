import type { Change, Operation, Storage } from "../../storage/storage.ts";
import { assert, assertEqual } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { ownNewSession } from "./owner.ts";
import { readChanges } from "./read-everything.ts";
import { askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "./rows.ts";

/** The life of a session with every kind of change, one batch each. */
const life: readonly (readonly Operation[])[] = [
  [{ type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "one")] }],
  [{ type: "message.promote", messageID: "msg_1", position: 1 }],
  [{ type: "message.put", message: assistantRow("msg_2", 2) }, { type: "part.put", part: textPart("msg_2", "prt_b") }],
  [{ type: "part.append", messageID: "msg_2", partID: "prt_b", field: "text", offset: 0, text: "two" }, { type: "part.put", part: textPart("msg_2", "prt_a") }],
  [{ type: "ask.put", ask: askRow("ask_1") }, { type: "session.put", session: sessionRow(sessionID, { title: "new" }) }],
  [{ type: "message.delete", messageID: "msg_2" }],
  [{ type: "message.put", message: assistantRow("msg_3", 2) }, { type: "part.put", part: textPart("msg_3", "prt_a", "three") }],
  [{ type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: 3 }],
  [{ type: "part.put", part: textPart("msg_3", "prt_b", "four") }, { type: "message.put", message: assistantRow("msg_3", 2, { finish: "stop" }) }],
  [{ type: "ask.delete", askID: "ask_1" }, { type: "part.delete", messageID: "msg_3", partID: "prt_a" }],
  [{ type: "message.put", message: assistantRow("msg_2", 5) }, { type: "part.put", part: textPart("msg_2", "prt_b", "back") }],
  [{ type: "prompt.admit", message: promptRow("msg_4"), parts: [] }, { type: "prompt.cancel", messageID: "msg_4", time: 4 }],
];

/** A reader's copy of a session: rows by a key of their own. */
type Copy = ReadonlyMap<string, unknown>;

/** What a reader has after it was told these changes. A part keeps the place that it was told. */
function fold(copy: Copy, changes: readonly Change[]): Copy {
  const next = new Map(copy);
  for (const change of changes) foldOne(next, change);
  return next;
}

function foldOne(copy: Map<string, unknown>, change: Change): void {
  switch (change.type) {
    case "session":
      // Its seq is told with the page.
      copy.set("session", { ...change.session, seq: 0 });
      return;
    case "message":
      copy.set(`message ${change.message.id}`, change.message);
      return;
    case "part":
      copy.set(`part ${change.part.messageID} ${change.part.id}`, { part: change.part, position: change.position });
      return;
    case "ask":
      copy.set(`ask ${change.ask.id}`, change.ask);
      return;
    case "message.deleted":
      copy.delete(`message ${change.messageID}`);
      return;
    case "part.deleted":
      copy.delete(`part ${change.messageID} ${change.partID}`);
      return;
    case "ask.deleted":
      copy.delete(`ask ${change.askID}`);
      return;
    case "session.deleted":
      copy.clear();
  }
}

const sorted = (copy: Copy): unknown[] => [...copy].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The copy of a reader that follows the feed from `after` in pages, and where it ends. */
async function follow(storage: Storage, copy: Copy, after: number, limit: number): Promise<{ copy: Copy; seq: number; stamps: number[] }> {
  const stamps: number[] = [];
  let state = copy;
  let seq = after;
  for (;;) {
    const page = await storage.changes(sessionID, { after: seq, limit });
    assert(page.reset !== true && (page.seq > seq || !page.more), `The feed does not get on after ${seq}.`);
    stamps.push(...page.changes.map((change) => change.seq));
    assert(page.changes.every((change) => change.seq > seq && change.seq <= page.seq), `A page after ${seq} tells what is not between it and its seq ${page.seq}.`);
    state = fold(state, page.changes);
    seq = page.seq;
    if (!page.more) return { copy: state, seq, stamps };
  }
}

export const changeFoldingTopic: ConformanceTopic = {
  name: "following the change feed",
  cases: [
    {
      name: "from any seq, in pages of any length, leads to the same rows as reading all anew",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const copies: Copy[] = [new Map(), fold(new Map(), (await readChanges(storage, 0)).changes)];
        for (const operations of life) {
          await owner.write(...operations);
          copies.push(fold(new Map(), (await readChanges(storage, 0)).changes));
        }
        const newest = copies.length - 1;
        for (const [after, copy] of copies.entries()) {
          for (const limit of [1, 2, 3, 5, 100]) {
            const reader = await follow(storage, copy, after, limit);
            const what = `after ${after}, in pages of ${limit}`;
            assertEqual(reader.seq, newest, `The seq of a reader ${what}`);
            assertEqual(sorted(reader.copy), sorted(copies[newest] ?? new Map()), `The rows of a reader ${what}`);
            assertEqual(reader.stamps, reader.stamps.toSorted((a, b) => a - b), `The stamps ${what}`);
          }
        }
      },
    },
    {
      name: "loses nothing of what is committed between two pages",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const operations of life.slice(0, 6)) await owner.write(...operations);
        let copy: Copy = new Map();
        let after = 0;
        let more = true;
        const rest = life.slice(6);
        while (more || rest.length > 0) {
          const page = await storage.changes(sessionID, { after, limit: 2 });
          copy = fold(copy, page.changes);
          ({ seq: after, more } = page);
          const operations = rest.shift();
          if (operations !== undefined) await owner.write(...operations);
        }
        copy = fold(copy, (await readChanges(storage, after)).changes);
        assertEqual(sorted(copy), sorted(fold(new Map(), (await readChanges(storage, 0)).changes)), "The rows of the reader");
      },
    },
  ],
};
