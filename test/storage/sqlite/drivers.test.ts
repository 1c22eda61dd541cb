import { describe, expect, it } from "vitest";
import { ConflictError, InvalidArgumentError, StorageError } from "../../../src/errors.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { sqliteStorage, type SqliteDatabase } from "../../../src/storage/sqlite/index.ts";
import { nextTurn } from "../../../src/util/next-turn.ts";
import type { LogRecord } from "../../../src/util/logger.ts";
import { commitUnleased, ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { promptRow, sessionID, sessionRow, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { driver, driverName, rawConnection, temporaryFolder } from "./temporary-store.ts";

/** A database of one driver, dressed as that of another. */
function dressed(path: string, dress: (statement: StatementCalls) => object): SqliteDatabase & { closed: number } {
  const connection = rawConnection(path);
  const database = {
    closed: 0,
    prepare: (sql: string) => dress({ rows: (values) => connection.rows(sql, values).map((row) => [...row]), run: (values) => runOf(connection, sql, values) }),
    exec: (sql: string) => connection.exec(sql),
    close: () => {
      database.closed += 1;
      connection.close();
    },
  };
  return database;
}

interface StatementCalls {
  rows(values: (string | number | null)[]): unknown[][];
  run(values: (string | number | null)[]): object;
}

function runOf(connection: ReturnType<typeof rawConnection>, sql: string, values: (string | number | null)[]): object {
  const lastInsertRowid = connection.insert(sql, values);
  return { changes: Number(connection.first("SELECT changes()", [])?.[0]), lastInsertRowid };
}

type Value = string | number | null;

const shapes: [name: string, dress: (statement: StatementCalls) => object][] = [
  [
    "bun:sqlite",
    ({ rows, run }) => ({
      values: (...values: Value[]) => rows(values),
      get: () => expect.fail("not for bun"),
      raw: () => expect.fail("bun's raw gives bytes"),
      run: (...values: Value[]) => run(values),
    }),
  ],
  [
    "node:sqlite",
    ({ rows, run }) => {
      let isArray = false;
      const shown = (row: unknown[]) => (isArray ? row : expect.fail("rows are objects before setReturnArrays"));
      return {
        setReturnArrays: () => (isArray = true),
        all: (...values: Value[]) => rows(values).map(shown),
        get: (...values: Value[]) => rows(values).map(shown)[0],
        run: (...values: Value[]) => run(values),
      };
    },
  ],
  [
    "node:sqlite before 22.16",
    ({ rows, run }) => {
      const asObject = (row: unknown[]) => Object.fromEntries(row.map((value, index) => [`column${index}`, value]));
      return {
        all: (...values: Value[]) => rows(values).map(asObject),
        get: (...values: Value[]) => rows(values).map(asObject)[0],
        run: (...values: Value[]) => run(values),
      };
    },
  ],
  [
    "better-sqlite3",
    ({ rows, run }) => {
      let isRaw = false;
      return {
        raw: () => (isRaw = true),
        all: (values: Value[]) => (isRaw ? rows(values) : expect.fail("rows are objects before raw")),
        get: (values: Value[]) => (isRaw ? rows(values)[0] : expect.fail("rows are objects before raw")),
        run: (values: Value[]) => run(values),
      };
    },
  ],
];

describe(`open databases, with ${driverName}`, () => {
  it.each(shapes)("one of %s is used as it is, and not closed", async (_name, dress) => {
    using folder = temporaryFolder();
    const database = dressed(folder.path("store.db"), dress);
    const storage = sqliteStorage(database);
    const owner = await ownNewSession(storage);
    await owner.write({ type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "é")] });
    await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 1, text: "\0😀" });
    expect((await storage.inbox(sessionID)).queued).toEqual([{ info: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", "é\0😀")] }]);
    expect((await storage.listSessions()).items).toEqual([sessionRow(sessionID, { seq: 3 })]);
    await storage.close();
    expect(database.closed).toBe(0);
    await expect(storage.listSessions()).rejects.toThrow(StorageError);
    database.close();
  });

  it("one that the driver itself opened is used too", async () => {
    using folder = temporaryFolder();
    const database = driver.open(folder.path("store.db"));
    const storage = sqliteStorage(database);
    await ownNewSession(storage);
    await storage.close();
    database.exec("SELECT 1");
    database.close();
  });

  it("what is no database, and options that there are not, are refused at once", () => {
    // Callers without types pass anything.
    expect(() => sqliteStorage({} as SqliteDatabase)).toThrow(InvalidArgumentError);
    expect(() => sqliteStorage(":memory:", { durability: "most" as "power" })).toThrow(/durability/);
    expect(() => sqliteStorage(":memory:", { busyMs: 0 })).toThrow(/busyMs/);
  });

  it("a folder that does not exist is a typed error that names the path", async () => {
    using folder = temporaryFolder();
    const storage = sqliteStorage(folder.path("missing/store.db"));
    await expect(storage.listSessions()).rejects.toThrow(/missing\/store.db/);
    await storage.close();
  });

  it("is in WAL mode, with the durability that was asked for", async () => {
    using folder = temporaryFolder();
    for (const [durability, level] of [["process", 1], ["power", 2]] as const) {
      const database = driver.open(folder.path("store.db"));
      const storage = sqliteStorage(database, { durability });
      await storage.listSessions();
      const look = new Connection(database);
      const pragmas = ["journal_mode", "synchronous", "foreign_keys"].map((name) => look.first(`PRAGMA ${name}`, [])?.[0]);
      expect(pragmas).toEqual(["wal", level, 1]);
      await storage.close();
      database.close();
    }
  });

  it("R187, anomalyco/opencode#14194: where WAL is refused it says so, works on, and has every commit wait for the disk", async () => {
    using folder = temporaryFolder();
    const connection = rawConnection(folder.path("store.db"));
    const records: LogRecord[] = [];
    const database: SqliteDatabase = {
      // The file system of this one cannot do it.
      prepare: (sql) => ({
        values: (...values: Value[]) => (sql === "PRAGMA journal_mode = WAL" ? [["delete"]] : connection.rows(sql, values)),
        run: (...values: Value[]) => runOf(connection, sql, values),
      }),
      exec: (sql) => connection.exec(sql),
      close: () => connection.close(),
    };
    const storage = sqliteStorage(database, { logger: (record) => records.push(record) });
    await ownNewSession(storage);
    expect(records).toMatchObject([{ level: "warn", message: expect.stringMatching(/WAL.*"delete"/) as string }]);
    expect(connection.first("PRAGMA synchronous", [])).toEqual([2]);
    await storage.close();
    connection.close();
  });
});

describe("commits of one turn of the event loop", () => {
  it("share transactions, and a refused one takes no other along", async () => {
    using folder = temporaryFolder();
    const connection = rawConnection(folder.path("store.db"));
    let transactions = 0;
    const storage = sqliteStorage({
      prepare: (sql) => ({ values: (...values: Value[]) => connection.rows(sql, values), run: (...values: Value[]) => runOf(connection, sql, values) }),
      exec: (sql) => {
        if (sql === "BEGIN IMMEDIATE") transactions += 1;
        connection.exec(sql);
      },
      close: () => connection.close(),
    });
    await ownNewSession(storage);
    await new Promise<void>(nextTurn);
    transactions = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        commitUnleased(
          storage,
          { type: "prompt.admit", message: promptRow(`msg_${index}`), parts: [] },
          ...(index % 4 === 3 ? [{ type: "prompt.cancel" as const, messageID: "msg_none", time: 1 }] : []),
        ),
      ),
    );
    // The first goes at once, the others together.
    expect(transactions).toBe(2);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(5);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toBeInstanceOf(ConflictError);
    expect((await storage.inbox(sessionID)).queued).toHaveLength(15);
    await storage.close();
    connection.close();
  });
});
