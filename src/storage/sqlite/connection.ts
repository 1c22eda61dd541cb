import { InvalidArgumentError } from "../../errors.ts";

export type SqlValue = string | number | null;
/** Columns in the order of the SELECT. Columns of one SELECT have names of their own: some drivers know rows by name only. */
export type SqlRow = readonly unknown[];

/**
 * An open database object of `node:sqlite`, `better-sqlite3`, `libsql` or `bun:sqlite`. What their statements can do
 * differs, and is looked at when they are prepared.
 */
export interface SqliteDatabase {
  prepare(sql: string): object;
  exec(sql: string): unknown;
  close(): unknown;
}

/** A database as the store uses it, whatever the driver. Statements are prepared once, and known by their text. */
export class Connection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, Statement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  rows(sql: string, values: readonly SqlValue[]): SqlRow[] {
    return this.#statement(sql).rows(values);
  }

  first(sql: string, values: readonly SqlValue[]): SqlRow | undefined {
    return this.#statement(sql).first(values);
  }

  /** Returns how many rows were written. */
  run(sql: string, values: readonly SqlValue[]): number {
    return Number(this.#statement(sql).run(values).changes);
  }

  /** Returns the key of the new row. */
  insert(sql: string, values: readonly SqlValue[]): number {
    return Number(this.#statement(sql).run(values).lastInsertRowid);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = adapt(this.#database.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** @throws {InvalidArgumentError} it is no database of a driver that is known */
export function checkDatabase(database: unknown): asserts database is SqliteDatabase {
  const methods = ["prepare", "exec", "close"];
  const isDatabase =
    typeof database === "object" && database !== null && methods.every((name) => typeof (database as Record<string, unknown>)[name] === "function");
  if (!isDatabase) {
    throw new InvalidArgumentError("sqliteStorage", "expected a path, or an open database of node:sqlite, better-sqlite3, libsql or bun:sqlite.");
  }
}

interface Statement {
  rows(values: readonly SqlValue[]): SqlRow[];
  first(values: readonly SqlValue[]): SqlRow | undefined;
  run(values: readonly SqlValue[]): WriteResult;
}

interface WriteResult {
  changes: number | bigint;
  lastInsertRowid: number | bigint;
}

/** The methods that the statements of the four drivers have, as far as they are used. */
interface DriverStatement {
  run(...values: unknown[]): WriteResult;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  /** `better-sqlite3` and `libsql`: rows as arrays from then on. In `bun:sqlite` it is something else. */
  raw?(on: boolean): unknown;
  /** `bun:sqlite`: all rows as arrays. */
  values?(...values: unknown[]): SqlRow[];
  /** `node:sqlite` from 22.16 on: rows as arrays from then on. */
  setReturnArrays?(on: boolean): void;
}

function adapt(prepared: object): Statement {
  // The compiler cannot know what a foreign database prepared; each method is looked for below.
  const statement = prepared as DriverStatement;
  if (statement.values !== undefined) return bunStatement(statement, statement.values.bind(statement));
  if (statement.raw !== undefined) return arrayStatement(statement, statement.raw.bind(statement));
  return nodeStatement(statement);
}

function bunStatement(statement: DriverStatement, values: NonNullable<DriverStatement["values"]>): Statement {
  return {
    rows: (parameters) => values(...parameters),
    first: (parameters) => values(...parameters)[0],
    run: (parameters) => statement.run(...parameters),
  };
}

/** These take the values as one array, and `libsql` must get them so: it takes a lone `null` for a set of named ones. */
function arrayStatement(statement: DriverStatement, raw: (on: boolean) => unknown): Statement {
  let isRaw = false;
  const prepareRead = (): void => {
    // Not before the first read: better-sqlite3 refuses it for statements that return nothing.
    if (!isRaw) raw(true);
    isRaw = true;
  };
  return {
    rows: (parameters) => {
      prepareRead();
      return statement.all(parameters) as SqlRow[];
    },
    first: (parameters) => {
      prepareRead();
      return statement.get(parameters) as SqlRow | undefined;
    },
    run: (parameters) => statement.run(parameters),
  };
}

function nodeStatement(statement: DriverStatement): Statement {
  const run = (parameters: readonly SqlValue[]): WriteResult => statement.run(...parameters);
  if (statement.setReturnArrays === undefined) {
    return {
      rows: (parameters) => statement.all(...parameters).map(valuesOf),
      first: (parameters) => {
        const row = statement.get(...parameters);
        return row === undefined ? undefined : valuesOf(row);
      },
      run,
    };
  }
  statement.setReturnArrays(true);
  return {
    rows: (parameters) => statement.all(...parameters) as SqlRow[],
    first: (parameters) => statement.get(...parameters) as SqlRow | undefined,
    run,
  };
}

function valuesOf(row: unknown): SqlRow {
  // Rows of node:sqlite are plain objects, with the columns in order.
  return Object.values(row as Record<string, unknown>);
}
