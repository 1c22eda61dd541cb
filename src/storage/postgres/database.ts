import { StorageError, StorageNewerError, ThroughlineError } from "../../errors.ts";
import { createSchemaStatement, schemaVersion } from "./create-schema.ts";
import type { AnswerRow, PostgresClient } from "./postgres-client.ts";
import { tablesOf, type Tables } from "./schema-name.ts";
import type { Statement } from "./statement.ts";
import { errorMessage } from "../../util/error-message.ts";

/** "No such schema", "no such table". */
const missing = ["3F000", "42P01"];
/** "Could not serialize", "deadlock": nothing was written, and it goes through another time. */
const lostRaces = ["40001", "40P01"];

/** The host's database, with the store's schema in it. */
export class Database {
  readonly schema: string;
  readonly tables: Tables;
  readonly #client: PostgresClient;
  #opened: Promise<void> | undefined;
  #closed = false;

  constructor(client: PostgresClient, schema: string) {
    this.#client = client;
    this.schema = schema;
    this.tables = tablesOf(schema);
  }

  close(): void {
    this.#closed = true;
  }

  /** @throws {StorageError} the store was closed */
  checkOpen(): void {
    if (this.#closed) throw new StorageError("This storage was closed.");
  }

  /**
   * The answer to a statement. The first one of all waits for the schema.
   *
   * @throws {StorageError} it failed; it may have been applied all the same, if the connection dropped
   */
  async rows(statement: Statement, query: string): Promise<readonly AnswerRow[]> {
    this.checkOpen();
    await this.#open();
    return this.#send(statement.text(query), statement.values);
  }

  /** Like `rows`, for a statement that others may get in the way of: `undefined` when it must be judged anew. */
  async rowsUnlessRaced(statement: Statement, query: string): Promise<readonly AnswerRow[] | undefined> {
    try {
      return await this.rows(statement, query);
    } catch (error) {
      if (error instanceof StorageError && lostRaces.includes(codeOf(error.cause) ?? "")) return undefined;
      throw error;
    }
  }

  #open(): Promise<void> {
    this.#opened ??= this.#prepare().catch((error: unknown) => {
      // Or else a database that was down at first would be so for good.
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #prepare(): Promise<void> {
    let version = await this.#version();
    if (version === undefined) {
      await this.#send(createSchemaStatement(this.schema, this.tables), []);
      version = (await this.#version()) ?? 0;
    }
    if (version > schemaVersion) throw new StorageNewerError(`The PostgreSQL schema "${this.schema}"`, version, schemaVersion);
  }

  async #version(): Promise<number | undefined> {
    try {
      const [row] = await this.#send(`SELECT version FROM ${this.tables.meta}`, []);
      return Number(row?.["version"]);
    } catch (error) {
      if (error instanceof StorageError && missing.includes(codeOf(error.cause) ?? "")) return undefined;
      throw error;
    }
  }

  async #send(text: string, values: unknown[]): Promise<readonly AnswerRow[]> {
    try {
      const { rows } = await this.#client.query(text, values);
      return rows as AnswerRow[]; // every driver gives rows as objects by column, unless it is told otherwise
    } catch (error) {
      if (ThroughlineError.isInstance(error)) throw error;
      throw new StorageError(`PostgreSQL: ${errorMessage(error)}`, error);
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
