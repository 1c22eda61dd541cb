import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { PostgresClient } from "../../../src/storage/postgres/postgres-client.ts";

/** Where a PostgreSQL server is expected in development and CI. */
const address = { host: "127.0.0.1", port: 5432, user: "postgres", database: "test", connectionTimeoutMillis: 2_000 };

/** A database for the tests of one file, and which it is. */
export interface DatabaseUnderTest {
  name: string;
  isServer: boolean;
  /** Clients of the same database, as in processes of their own; PGlite is only one. */
  connect(options?: { max?: number }): PostgresClient;
  /** A schema that no other test uses. */
  newSchema(): string;
  /** Empties the tables of a schema: much faster than another schema. */
  empty(schema: string): Promise<void>;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Drops the schemas, and ends the clients. */
  end(): Promise<void>;
}

/** The server where it answers, else PGlite. The suite's name says which. */
export async function databaseUnderTest(): Promise<DatabaseUnderTest> {
  const pool = new pg.Pool({ ...address, max: 1 });
  try {
    const { rows } = await pool.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    return serverUnderTest(pool, rows[0]?.version ?? "of unknown version");
  } catch {
    await pool.end();
    return pgliteUnderTest("PGlite (no server answers at 127.0.0.1:5432)");
  }
}

function serverUnderTest(first: pg.Pool, version: string): DatabaseUnderTest {
  const pools = [first];
  const schemas = schemaNames();
  const query: DatabaseUnderTest["query"] = async (text, values = []) => (await first.query<Record<string, unknown>>(text, values)).rows;
  return {
    name: `PostgreSQL ${version} at ${address.host}:${address.port}`,
    isServer: true,
    connect: ({ max = 4 } = {}) => {
      const pool = new pg.Pool({ ...address, max });
      pools.push(pool);
      return pool;
    },
    newSchema: schemas.next,
    query,
    empty: (schema) => emptySchema(query, schema),
    end: async () => {
      for (const schema of schemas.all) await first.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

export async function pgliteUnderTest(name = "PGlite"): Promise<DatabaseUnderTest> {
  const database = await PGlite.create();
  const schemas = schemaNames();
  const query: DatabaseUnderTest["query"] = async (text, values = []) => (await database.query<Record<string, unknown>>(text, values)).rows;
  return {
    name,
    isServer: false,
    connect: () => database,
    newSchema: schemas.next,
    query,
    empty: (schema) => emptySchema(query, schema),
    end: () => database.close(),
  };
}

async function emptySchema(query: DatabaseUnderTest["query"], schema: string): Promise<void> {
  const tables = ["session", "message", "part", "part_text", "ask", "artifact", "artifact_text", "abort", "lease"];
  const deletions = tables.map((table) => `${table} AS (DELETE FROM "${schema}".${table})`);
  await query(`WITH ${deletions.join(", ")} SELECT 1`);
}

function schemaNames(): { next: () => string; all: string[] } {
  const prefix = `test_${crypto.randomUUID().slice(0, 8)}`;
  const all: string[] = [];
  const next = (): string => {
    const name = `${prefix}_${all.length}`;
    all.push(name);
    return name;
  };
  return { next, all };
}
