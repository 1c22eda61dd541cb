import { afterAll, describe, expect, it, vi } from "vitest";
import { InvalidArgumentError, StorageError, StorageNewerError } from "../../../src/errors.ts";
import { postgresStorage, type PostgresClient } from "../../../src/storage/postgres/index.ts";
import { sessionID, sessionRow } from "../../../src/testing/storage-conformance/rows.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());

describe(`the schema on ${database.name}`, () => {
  it("is created once when many processes do it at the same moment", async () => {
    const schema = database.newSchema();
    const clients = [1, 2, 3, 4].map(() => database.connect({ max: 1 }));
    await Promise.all(clients.map((client) => postgresStorage(client, { schema }).getSession(sessionID)));
    expect(await database.query(`SELECT version FROM "${schema}".meta`)).toEqual([{ version: 1 }]);
  });

  it("may have any name that PostgreSQL can keep", async () => {
    const schema = `${database.newSchema()}_É "x" '\\`;
    const storage = postgresStorage(database.connect({ max: 1 }), { schema });
    await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    expect(await database.query("SELECT nspname FROM pg_namespace WHERE nspname = $1", [schema])).toHaveLength(1);
    await database.query(`DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE`);
  });

  it.each(["", "a\0b", "x".repeat(64), "é".repeat(32)])("refuses the name %j", (schema) => {
    expect(() => postgresStorage({ query: () => Promise.reject(new Error("unused")) }, { schema })).toThrow(InvalidArgumentError);
  });

  it("of a newer version is refused, and stays as it is", async () => {
    const schema = database.newSchema();
    const client = database.connect({ max: 1 });
    await postgresStorage(client, { schema }).getSession(sessionID);
    await database.query(`UPDATE "${schema}".meta SET version = 99`);
    await expect(postgresStorage(client, { schema }).getSession(sessionID)).rejects.toThrow(StorageNewerError);
    expect(await database.query(`SELECT version FROM "${schema}".meta`)).toEqual([{ version: 99 }]);
  });

  it("is looked for again when the database was down at first", async () => {
    const schema = database.newSchema();
    const client = database.connect({ max: 1 });
    let isDown = true;
    const failing: PostgresClient = { query: (text, values) => (isDown ? Promise.reject(new Error("ECONNREFUSED")) : client.query(text, values)) };
    const storage = postgresStorage(failing, { schema });
    await expect(storage.getSession(sessionID)).rejects.toThrow(StorageError);
    isDown = false;
    expect(await storage.getSession(sessionID)).toBeUndefined();
  });

  it("is not searched for once it is there", async () => {
    const schema = database.newSchema();
    const client = database.connect({ max: 1 });
    const statements: string[] = [];
    const counting: PostgresClient = {
      query: (text, values) => {
        statements.push(text);
        return client.query(text, values);
      },
    };
    const storage = postgresStorage(counting, { schema });
    await storage.getSession(sessionID);
    statements.length = 0;
    await storage.getSession(sessionID);
    expect(statements).toHaveLength(1);
  });
});
