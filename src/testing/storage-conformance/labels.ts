import { assertEqual, assertRejects } from "./assert.ts";
import type { ConformanceCase, ConformanceTopic } from "./conformance-case.ts";
import { ownSession } from "./owner.ts";
import { changeName, readChanges, readTranscriptIDs } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionRow, textPart } from "./rows.ts";
import type { Storage } from "../../storage/storage.ts";

const oddIDs: readonly [name: string, ids: readonly string[]][] = [
  ["slashes", ["a/b", "a\\b", "/a", "a/", "//"]],
  ["dots", [".", "..", "../a", "a.", ".a", "a.jsonl"]],
  ["spaces and line ends", [" ", "a", " a", "a ", "a b", "a\nb", "a\tb"]],
  ["emoji and accents, composed or not", ["😀", "👩‍👩‍👧", "é", "e\u0301"]],
  ["upper and lower case", ["Thread", "thread", "THREAD", "İ", "i"]],
  ["names that mean something to JavaScript", ["__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "0", "00"]],
  ["wildcards, quotes and separators", ["%", "_", "a%", "a_", "*", "?", "'", `"`, "a:b", "a;b", "a|b", "a#b", "a%2Fb", "$1", "-a", "~", "CON"]],
  ["great length", ["x".repeat(600), `${"x".repeat(599)}y`, "😀".repeat(200)]],
];

/** A session with a row of each kind, all under the same id. */
async function fill(storage: Storage, id: string): Promise<void> {
  await storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id, { title: id }) }] });
  const owner = await ownSession(storage, id, `owner of ${id}`);
  await owner.write(
    { type: "message.put", message: assistantRow(id, 1, { sessionID: id }) },
    { type: "part.put", part: { ...textPart(id, id, id), sessionID: id } },
    { type: "ask.put", ask: askRow(id, { sessionID: id, rootID: id }) },
    { type: "artifact.put", artifact: artifactRow(id, id, { sessionID: id }) },
    { type: "abort.request", abort: abortRow(id) },
  );
}

async function checkFilled(storage: Storage, id: string): Promise<void> {
  const what = `of the session "${id}"`;
  assertEqual((await storage.getSession(id))?.title, id, `The title ${what}`);
  const expected = [{ info: assistantRow(id, 1, { sessionID: id }), parts: [{ ...textPart(id, id, id), sessionID: id }] }];
  assertEqual(await storage.listMessages(id), { items: expected }, `The transcript ${what}`);
  const ask = askRow(id, { sessionID: id, rootID: id });
  assertEqual(await storage.inbox(id), { seq: 2, queued: [], asks: [ask], aborts: [abortRow(id)] }, `The inbox ${what}`);
  assertEqual(await storage.listAsks({ rootID: id }), [ask], `The asks ${what}`);
  assertEqual((await storage.getArtifact(id, id))?.text, id, `The artifact ${what}`);
  const names = (await readChanges(storage, 0, id)).changes.map(changeName).toSorted();
  assertEqual(names, ["session", "message", "part", "ask"].map((kind) => `${kind} ${id}`).toSorted(), `The feed ${what}`);
}

function holdsApart([name, ids]: readonly [name: string, ids: readonly string[]]): ConformanceCase {
  return {
    name: `are opaque, of sessions and of all rows: ${name}`,
    run: async ({ storage }) => {
      for (const id of ids) await fill(storage, id);
      for (const id of ids) await checkFilled(storage, id);
      assertEqual((await storage.listSessions()).items.map(({ id }) => id).toSorted(), ids.toSorted(), "The sessions, sorted");
      const [first, ...others] = ids;
      if (first === undefined) return;
      const owner = await ownSession(storage, first, `owner of ${first}`);
      await owner.write({ type: "session.delete" });
      assertEqual(await storage.getSession(first), undefined, `The deleted session "${first}"`);
      for (const id of others) await checkFilled(storage, id);
    },
  };
}

export const labelsTopic: ConformanceTopic = {
  name: "ids",
  cases: [
    ...oddIDs.map(holdsApart),
    {
      name: "that were never given name nothing, also those that every JavaScript object has",
      run: async ({ storage }) => {
        for (const id of ["__proto__", "constructor", "toString"]) {
          assertEqual(await storage.getSession(id), undefined, `The session "${id}"`);
          await assertRejects(storage.listMessages(id), "session-not-found", `The transcript of "${id}"`);
          await assertRejects(storage.inbox(id), "session-not-found", `The inbox of "${id}"`);
          await assertRejects(readChanges(storage, 0, id), "session-not-found", `The feed of "${id}"`);
          await assertRejects(storage.acquireLease(id, "own_1", 1_000), "session-not-found", `A lease on "${id}"`);
          assertEqual(await storage.getArtifact(id, id), undefined, `The artifact "${id}"`);
        }
        await fill(storage, "ses_1");
        assertEqual(await storage.getArtifact("ses_1", "__proto__"), undefined, 'The artifact "__proto__" of a session that exists');
        await assertRejects(storage.listMessages("ses_1", { before: "constructor" }), "invalid-argument", "A page before a message that never was");
      },
    },
    {
      name: "of rows are known apart in two sessions",
      run: async ({ storage }) => {
        for (const id of ["ses_1", "ses_2"]) {
          await storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id) }] });
          const owner = await ownSession(storage, id, "own_1");
          await owner.write(
            { type: "prompt.admit", message: promptRow("msg_q", { sessionID: id, agent: id }), parts: [] },
            { type: "ask.put", ask: askRow("ask_1", { sessionID: id, rootID: id }) },
            { type: "artifact.put", artifact: artifactRow("art_1", id, { sessionID: id }) },
            { type: "abort.request", abort: abortRow("abt_1") },
          );
        }
        const owner = await ownSession(storage, "ses_1", "own_1");
        await owner.write(
          { type: "message.promote", messageID: "msg_q", position: 1 },
          { type: "ask.delete", askID: "ask_1" },
          { type: "artifact.append", artifactID: "art_1", offset: 5, text: " more" },
          { type: "abort.clear", abortID: "abt_1" },
        );
        const queued = [{ info: promptRow("msg_q", { sessionID: "ses_2", agent: "ses_2" }), parts: [] }];
        const asks = [askRow("ask_1", { sessionID: "ses_2", rootID: "ses_2" })];
        assertEqual(await storage.inbox("ses_2"), { seq: 2, queued, asks, aborts: [abortRow("abt_1")] }, "The other inbox");
        assertEqual((await storage.getArtifact("ses_2", "art_1"))?.text, "ses_2", "The other artifact");
        assertEqual([await readTranscriptIDs(storage, "ses_1"), await readTranscriptIDs(storage, "ses_2")], [["msg_q"], []], "The transcripts");
      },
    },
  ],
};
