import { afterAll, describe, expect, it, vi } from "vitest";
import { ConflictError } from "../../../src/errors.ts";
import { postgresStorage, type PostgresClient } from "../../../src/storage/postgres/index.ts";
import { ownNewSession, ownSession } from "../../../src/testing/storage-conformance/owner.ts";
import { readChanges } from "../../../src/testing/storage-conformance/read-everything.ts";
import { artifactRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());
const client = database.connect();
const schema = database.newSchema();

async function emptyStore(sent: unknown[][] = []) {
  const recording: PostgresClient = {
    query: (text, values) => {
      sent.push(values);
      return client.query(text, values);
    },
  };
  const storage = postgresStorage(recording, { schema });
  await storage.getSession(sessionID);
  await database.empty(schema);
  return storage;
}

describe(`texts on ${database.name}`, () => {
  // What PostgreSQL refuses in a text, what UTF-8 has no form for, and what means something in SQL, JSON or this store.
  const strange = ["\0", "a\0b", "\ud83d", "\ude00\ud83d", '"quoted"', "'; DROP TABLE x; --", "\\u0000", "\\", "é中😀", "\u2028\n\r\t"];

  it.each(strange)("come back as they were put, wherever they stand: %j", async (text) => {
    const storage = await emptyStore();
    const id = `ses_${text}`;
    const row = sessionRow(id, { title: text, directory: text, projectID: text, agent: text, metadata: { [text]: [text] } });
    await storage.commit({ sessionID: id, operations: [{ type: "session.create", session: row }] });
    const { lease } = await ownSession(storage, id, `own_${text}`);
    const message = assistantRow(`msg_${text}`, 1, { sessionID: id, finish: text });
    const part = { ...textPart(message.id, `prt_${text}`, text), sessionID: id };
    const artifact = artifactRow(`art_${text}`, text, { sessionID: id });
    const write = (...operations: Parameters<typeof storage.commit>[0]["operations"]) => storage.commit({ sessionID: id, lease, operations });
    await write({ type: "message.put", message }, { type: "part.put", part }, { type: "artifact.put", artifact });
    await write(
      { type: "part.append", messageID: message.id, partID: part.id, field: "text", offset: text.length, text },
      { type: "artifact.append", artifactID: artifact.id, offset: text.length, text },
    );
    expect(await storage.getSession(id)).toEqual({ ...row, seq: 3 });
    expect((await storage.listSessions({ directory: text, projectID: text })).items).toHaveLength(1);
    expect((await storage.listMessages(id)).items).toEqual([{ info: message, parts: [{ ...part, text: text + text }] }]);
    expect((await storage.getArtifact(id, artifact.id))?.text).toBe(text + text);
    await write({ type: "message.delete", messageID: message.id });
    expect((await readChanges(storage, 3, id)).changes.map((change) => ("messageID" in change ? change.messageID : change.type))).toEqual([message.id, message.id]);
  });

  it("keep the order of their record's keys", async () => {
    const storage = await emptyStore();
    const owner = await ownNewSession(storage);
    const message = { ...assistantRow("msg_1", 1), structured: { zebra: 1, apple: 2, "10": 3 } };
    await owner.write({ type: "message.put", message });
    expect(JSON.stringify((await storage.listMessages(sessionID)).items[0]?.info)).toBe(JSON.stringify(message));
  });

  it("that grow are neither read nor written again: an append costs the same at any length", async () => {
    const sent: unknown[][] = [];
    const storage = await emptyStore(sent);
    const owner = await ownNewSession(storage);
    await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1") });
    const piece = "x".repeat(100);
    const costs: number[] = [];
    for (let offset = 0; offset < 10_000; offset += piece.length) {
      sent.length = 0;
      await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset, text: piece });
      costs.push(sent.flat().join("").length);
    }
    expect(Math.max(...costs)).toBeLessThan((costs[0] ?? 0) + 20);
    const [stored] = await database.query(`SELECT sum(length(text)) AS kept, (SELECT sum(length(data)) FROM "${schema}".part) AS data FROM "${schema}".part_text`);
    expect(Number(stored?.["kept"])).toBeLessThan(1.1 * 10_000);
    expect(Number(stored?.["data"])).toBeLessThan(200);
    await owner.write({ type: "part.put", part: textPart("msg_1", "prt_1", piece.repeat(100)) });
    expect(await database.query(`SELECT 1 FROM "${schema}".part_text`)).toEqual([]);
  });

  it("that are replaced, cut, or refused, are judged on their whole", async () => {
    const storage = await emptyStore();
    const owner = await ownNewSession(storage);
    await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1", "abc") });
    const append = (offset: number, text: string) => ({ type: "part.append" as const, messageID: "msg_1", partID: "prt_1", field: "text" as const, offset, text });
    await owner.write(append(3, "def"));
    await owner.write(append(6, "ghi"), append(4, "X"), append(5, "Y"));
    expect((await storage.listMessages(sessionID)).items[0]?.parts).toEqual([textPart("msg_1", "prt_1", "abcdXY")]);
    await owner.write(append(6, "Z"));
    const refused = await owner.write(append(9, "gap")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConflictError);
    expect(refused).toMatchObject({ existing: textPart("msg_1", "prt_1", "abcdXYZ") });
  });

  it("of large artifacts are read by the range", async () => {
    const storage = await emptyStore();
    const owner = await ownNewSession(storage);
    const text = Array.from({ length: 30_000 }, (_, index) => `${index},`).join("");
    await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", text) });
    for (const [offset, limit] of [[0, 10], [65_530, 12], [131_072, 1], [150_000, 1_000_000], [text.length, 5], [text.length + 5, 5]] as const) {
      const artifact = await storage.getArtifact(sessionID, "art_1", { offset, limit });
      expect(artifact).toEqual(artifactRow("art_1", text.slice(offset, offset + limit), { size: text.length }));
    }
    expect((await storage.getArtifact(sessionID, "art_1"))?.text).toBe(text);
    await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "short") });
    expect(await database.query(`SELECT length FROM "${schema}".artifact_text`)).toHaveLength(1);
  });

  it("keep a bounded number of tombstones, and say reset to who needs more", async () => {
    const storage = await emptyStore();
    const owner = await ownNewSession(storage);
    const ids = Array.from({ length: 700 }, (_, index) => `msg_${index}`);
    for (let round = 0; round < 3; round += 1) {
      const rows = ids.map((id) => `${id}_${round}`);
      await owner.write(...rows.map((messageID, index) => ({ type: "message.put" as const, message: assistantRow(messageID, index) })));
      for (let start = 0; start < rows.length; start += 100)
        await owner.write(...rows.slice(start, start + 100).map((messageID) => ({ type: "message.delete" as const, messageID })));
    }
    const { seq } = await storage.inbox(sessionID);
    expect(await storage.changes(sessionID, { after: 1 })).toEqual({ changes: [], seq, more: false, reset: true });
    expect((await storage.changes(sessionID, { after: seq - 1 })).changes).toHaveLength(100);
    const [stones] = await database.query(`SELECT count(*) AS kept FROM "${schema}".message WHERE deleted`);
    expect(Number(stones?.["kept"])).toBeLessThan(2_000);
    await owner.write({ type: "message.put", message: promptRow("msg_new") });
  });
});
