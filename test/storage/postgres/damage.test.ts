import { afterAll, describe, expect, it, vi } from "vitest";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import type { Damage, Operation, Storage } from "../../../src/storage/storage.ts";
import { ownNewSession, type Owner } from "../../../src/testing/storage-conformance/owner.ts";
import { readChanges, readTranscriptIDs } from "../../../src/testing/storage-conformance/read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart, toolPart } from "../../../src/testing/storage-conformance/rows.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());
const client = database.connect();
const schema = database.newSchema();

const content: readonly Operation[] = [
  { type: "session.put", session: sessionRow(sessionID, { title: "Kept", agent: "build", directory: "/a" }) },
  { type: "message.put", message: assistantRow("msg_1", 1) },
  { type: "part.put", part: textPart("msg_1", "prt_1", "one") },
  { type: "part.put", part: toolPart("msg_1", "prt_2") },
  { type: "message.put", message: assistantRow("msg_2", 2) },
  { type: "part.put", part: textPart("msg_2", "prt_3", "three") },
  { type: "message.put", message: promptRow("msg_q") },
  { type: "ask.put", ask: askRow("ask_1") },
  { type: "ask.put", ask: askRow("ask_2") },
  { type: "artifact.put", artifact: artifactRow("art_1", "full") },
  { type: "artifact.put", artifact: artifactRow("art_2", "full") },
  { type: "abort.request", abort: abortRow("abt_1") },
  { type: "abort.request", abort: abortRow("abt_2") },
];

async function damagedStore(table: string, id: string, data: string): Promise<{ storage: Storage; owner: Owner; damages: Damage[] }> {
  const storage = postgresStorage(client, { schema });
  await storage.getSession(sessionID);
  await database.empty(schema);
  await ownNewSession(storage, "ses_other");
  const owner = await ownNewSession(storage);
  await owner.write(...content);
  await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 3, text: " more" });
  const rows = await database.query(`UPDATE "${schema}"."${table}" SET ${table.endsWith("_text") ? "text" : "data"} = $1 WHERE ${table.endsWith("_text") ? "part_id" : "id"} = $2 RETURNING 1`, [data, id]);
  expect(rows).toHaveLength(1);
  const damages: Damage[] = [];
  storage.onDamage?.((damage) => damages.push(damage));
  return { storage, owner, damages };
}

/** Reads all there is, as somebody who opens the session does. */
async function readAll(storage: Storage) {
  const inbox = await storage.inbox(sessionID);
  return {
    sessions: (await storage.listSessions()).items.map(({ id }) => id).toSorted(),
    messages: (await storage.listMessages(sessionID)).items.map(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)]),
    queued: inbox.queued.map(({ info }) => info.id),
    asks: (await storage.listAsks()).map(({ id }) => id),
    aborts: inbox.aborts.map(({ id }) => id),
    artifacts: [await storage.getArtifact(sessionID, "art_1"), await storage.getArtifact(sessionID, "art_2")].map((artifact) => artifact?.text),
    feed: (await readChanges(storage, 0)).changes.length,
  };
}

const whole = {
  sessions: [sessionID, "ses_other"],
  messages: [["msg_2", "prt_3"], ["msg_1", "prt_1", "prt_2"]],
  queued: ["msg_q"],
  asks: ["ask_1", "ask_2"],
  aborts: ["abt_1", "abt_2"],
  artifacts: ["full", "full"],
  feed: 9,
};

const cases: [record: Damage["record"], table: string, id: string, left: Partial<typeof whole> | { artifacts: (string | undefined)[] }][] = [
  ["session", "session", sessionID, {}],
  ["message", "message", "msg_1", { messages: [["msg_2", "prt_3"]], feed: 8 }],
  ["message", "message", "msg_q", { queued: [], feed: 8 }],
  ["part", "part", "prt_1", { messages: [["msg_2", "prt_3"], ["msg_1", "prt_2"]], feed: 8 }],
  ["part", "part", "prt_2", { messages: [["msg_2", "prt_3"], ["msg_1", "prt_1"]], feed: 8 }],
  ["part", "part_text", "prt_1", { messages: [["msg_2", "prt_3"], ["msg_1", "prt_2"]], feed: 8 }],
  ["ask", "ask", "ask_1", { asks: ["ask_2"], feed: 8 }],
  ["artifact", "artifact", "art_1", { artifacts: [undefined, "full"] }],
  ["abort", "abort", "abt_1", { aborts: ["abt_2"] }],
];
const damages = ["", "{", "[]", "null", '{"id":"somebody else"}', "\u0001\u0002"];

describe(`damage on ${database.name}`, () => {
  it("none: everything is there", async () => {
    const { storage, damages: reported } = await damagedStore("part", "prt_1", JSON.stringify(textPart("msg_1", "prt_1", "one")));
    expect(await readAll(storage)).toEqual(whole);
    expect(reported).toEqual([]);
  });

  it.each(cases)("of one %s (table %s, %s) is reported, and hurts nothing else", async (record, table, id, left) => {
    for (const data of damages) {
      const { storage, owner, damages: reported } = await damagedStore(table, id, data);
      expect(await readAll(storage)).toEqual({ ...whole, ...left });
      expect(reported.length).toBeGreaterThan(0);
      for (const damage of reported) expect(damage).toMatchObject({ sessionID, record, id });
      await owner.write({ type: "message.put", message: assistantRow("msg_3", 3) });
      expect((await readTranscriptIDs(storage))[0]).toBe("msg_3");
    }
  });

  it("of a session's record: it is made anew from its columns, and can be written again", async () => {
    const { storage, owner } = await damagedStore("session", sessionID, "{");
    const rebuilt = sessionRow(sessionID, { title: "Kept", agent: "build", directory: "/a", time: { created: 0, updated: 0 }, seq: 3 });
    expect(await storage.getSession(sessionID)).toEqual(rebuilt);
    const damages: Damage[] = [];
    await owner.write({ type: "session.put", session: rebuilt });
    storage.onDamage?.((damage) => damages.push(damage));
    expect(await storage.getSession(sessionID)).toEqual({ ...rebuilt, seq: 4 });
    expect(damages).toEqual([]);
  });

  it("is told to nobody who has stopped listening, and a listener that throws hurts nobody", async () => {
    const { storage, damages: reported } = await damagedStore("part", "prt_1", "{");
    storage.onDamage?.(() => {
      throw new Error("broken listener");
    });
    const stop = storage.onDamage?.(() => reported.push());
    stop?.();
    const before = reported.length;
    await storage.listMessages(sessionID);
    expect(reported.length).toBe(before + 1);
  });
});
