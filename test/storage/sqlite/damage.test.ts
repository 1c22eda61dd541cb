import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { StorageDamagedError, StorageNewerError } from "../../../src/errors.ts";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import type { Damage, Storage } from "../../../src/storage/storage.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { driverName, rawConnection, temporaryFolder } from "./temporary-store.ts";

/** Two sessions with a row of each kind. The second one is the witness. */
async function fill(storage: Storage): Promise<void> {
  for (const id of [sessionID, "ses_2"]) {
    const owner = await ownNewSession(storage, id);
    await owner.write(
      { type: "message.put", message: assistantRow("msg_1", 1, { sessionID: id }) },
      { type: "part.put", part: { ...textPart("msg_1", "prt_1", "é one"), sessionID: id } },
      { type: "part.put", part: { ...textPart("msg_1", "prt_2", "two"), sessionID: id } },
      { type: "message.put", message: assistantRow("msg_2", 2, { sessionID: id }) },
      { type: "prompt.admit", message: promptRow("msg_q", { sessionID: id }), parts: [] },
      { type: "ask.put", ask: askRow("ask_1", { sessionID: id, rootID: id }) },
      { type: "artifact.put", artifact: artifactRow("art_1", "text", { sessionID: id }) },
      { type: "abort.request", abort: abortRow("abt_1") },
    );
    await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_2", field: "text", offset: 3, text: " more" });
  }
}

/** Everything of a session. */
async function look(storage: Storage, id: string): Promise<unknown> {
  const { items } = await storage.listMessages(id);
  const { queued, asks, aborts } = await storage.inbox(id);
  const changes = (await storage.changes(id, { after: 0 })).changes.length;
  return {
    session: await storage.getSession(id),
    messages: items.map(({ info, parts }) => [info.id, ...parts.map((part) => part.id)]),
    waiting: [...queued.map(({ info }) => info.id), ...asks.map((ask) => ask.id), ...aborts.map((abort) => abort.id)],
    artifact: (await storage.getArtifact(id, "art_1"))?.text,
    changes,
  };
}

const wounds: Record<string, string> = {
  truncated: "CAST(substr(CAST(COL AS BLOB), 1, length(CAST(COL AS BLOB)) / 2) AS TEXT)",
  emptied: "''",
  "zero-filled": "CAST(zeroblob(length(CAST(COL AS BLOB))) AS TEXT)",
  "made no UTF-8": "CAST(x'7b22ff' || substr(CAST(COL AS BLOB), 4) AS TEXT)",
  "made a blob": "x'00ff00ff'",
  "made a number": "17",
  "made other JSON": "'{}'",
};

/** Which row, and what is missing of the session then. */
const records: [record: Damage["record"], table: string, column: string, where: string, missing: object][] = [
  ["session", "session", "data", `id = '${sessionID}'`, {}],
  ["message", "message", "data", "id = 'msg_1' AND session = 1", { messages: [["msg_2"]], changes: 4 }],
  ["message", "message", "data", "id = 'msg_q' AND session = 1", { waiting: ["ask_1", "abt_1"], changes: 6 }],
  ["part", "part", "data", "id = 'prt_1' AND message = 1", { messages: [["msg_2"], ["msg_1", "prt_2"]], changes: 6 }],
  ["part", "part_piece", "text", "part = 2", { messages: [["msg_2"], ["msg_1", "prt_1"]], changes: 6 }],
  ["ask", "ask", "data", "id = 'ask_1' AND session = 1", { waiting: ["msg_q", "abt_1"], changes: 6 }],
  ["abort", "abort", "data", "id = 'abt_1' AND session = 1", { waiting: ["msg_q", "ask_1"] }],
  ["artifact", "artifact", "data", "id = 'art_1' AND session = 1", { artifact: undefined }],
  ["artifact", "artifact_piece", "text", "artifact = 1", { artifact: undefined }],
];

describe(`damage, with ${driverName}`, () => {
  for (const [record, table, column, where, missing] of records) {
    it.each(Object.entries(wounds))(`a row of ${table} (${where}) that was %s is set aside and reported`, async (_name, wound) => {
      using folder = temporaryFolder();
      const path = folder.path("store.db");
      const first = sqliteStorage(path);
      await fill(first);
      const before = await look(first, sessionID);
      const witness = await look(first, "ses_2");
      await first.close();
      const raw = rawConnection(path);
      expect(raw.run(`UPDATE ${table} SET ${column} = ${wound.replaceAll("COL", column)} WHERE ${where}`, [])).toBe(1);
      raw.close();

      const storage = sqliteStorage(path);
      const damages: Damage[] = [];
      storage.onDamage?.((damage) => damages.push(damage));
      expect(await look(storage, "ses_2")).toEqual(witness);
      expect(damages).toEqual([]);
      expect((await storage.listSessions()).items.map(({ id }) => id).toSorted()).toEqual([sessionID, "ses_2"]);
      const after = await look(storage, sessionID);
      if (record === "session") expect(after).toMatchObject({ session: { id: sessionID, rootID: sessionID, seq: 3, title: "" } });
      else expect(after).toEqual({ ...(before as object), ...missing });
      expect(damages).toMatchObject([{ record, sessionID, where: expect.stringContaining(path) as string }]);
      // The session can be worked on: what is damaged is written over, or stands aside.
      const lease = await storage.acquireLease(sessionID, "own_1", 1_000);
      await storage.commit({
        sessionID,
        lease,
        operations: [
          { type: "message.put", message: assistantRow("msg_3", 1 + (table === "message" && where.includes("msg_1") ? 0 : 2)) },
          { type: "part.put", part: textPart("msg_3", "prt_1", "new") },
        ],
      });
      await storage.close();
    });
  }

  it.each(Object.entries(wounds))("a session's directory that was %s is reported, and all else of the session kept", async (_name, wound) => {
    using folder = temporaryFolder();
    const path = folder.path("store.db");
    const first = sqliteStorage(path);
    await first.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID, { title: "A title", directory: "/work", projectID: "prj_1" }) }] });
    await first.close();
    const raw = rawConnection(path);
    expect(raw.run(`UPDATE session SET directory = ${wound.replaceAll("COL", "directory")}`, [])).toBe(1);
    raw.close();

    const storage = sqliteStorage(path);
    const damages: Damage[] = [];
    storage.onDamage?.((damage) => damages.push(damage));
    expect(await storage.getSession(sessionID)).toEqual(sessionRow(sessionID, { title: "A title", projectID: "prj_1", seq: 1 }));
    expect((await storage.listSessions({ projectID: "prj_1" })).items).toHaveLength(1);
    expect(damages).toMatchObject([{ record: "session", sessionID }]);
    await storage.close();
  });

  const files: [name: string, spoil: (path: string) => void][] = [
    ["is no database", (path) => writeFileSync(path, "This is a letter, and no database at all.".repeat(100))],
    ["has lost its end", (path) => truncateSync(path, readFileSync(path).length / 2)],
    ["has a page of noise", (path) => writeFileSync(path, readFileSync(path).fill(0xa5, 4096 * 3, 4096 * 4))],
    ["has lost its schema", (path) => writeFileSync(path, readFileSync(path).fill(0, 100, 4096))],
  ];

  it.each(files)("R187, anomalyco/opencode#14194: a file that %s is refused by name, and stays as it is", async (_name, spoil) => {
    using folder = temporaryFolder();
    const path = folder.path("store.db");
    const first = sqliteStorage(path);
    await fill(first);
    await first.close();
    spoil(path);
    const before = readFileSync(path);
    const storage = sqliteStorage(path);
    const error = await storage.listSessions().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageDamagedError);
    expect(error).toMatchObject({ code: "storage-damaged", store: path, message: expect.stringMatching(/recover/) as string });
    await storage.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("a database of a newer version is refused, and stays as it is", async () => {
    using folder = temporaryFolder();
    const path = folder.path("store.db");
    const first = sqliteStorage(path);
    await fill(first);
    await first.close();
    const raw = rawConnection(path);
    raw.exec("PRAGMA user_version = 99");
    raw.rows("PRAGMA wal_checkpoint(TRUNCATE)", []);
    raw.close();
    copyFileSync(path, folder.path("copy.db"));
    const storage = sqliteStorage(path);
    await expect(storage.listSessions()).rejects.toThrow(StorageNewerError);
    await storage.close();
    expect(readFileSync(path).equals(readFileSync(folder.path("copy.db")))).toBe(true);
  });
});
