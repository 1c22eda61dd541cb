import type { Watchers } from "../memory/watchers.ts";
import { checkBatch } from "../check-batch.ts";
import type { Batch } from "../storage.ts";
import { Checkpoints } from "./checkpoints.ts";
import { commitBatch } from "./commit-batch.ts";
import type { DamageReports } from "../damage-reports.ts";
import { RowDamage } from "./row-damage.ts";
import { ForeignCommits } from "./foreign-commits.ts";
import { KnownSessions } from "./known-session.ts";
import { Leases } from "./leases.ts";
import type { OpenDatabase } from "./open-database.ts";
import type { SqliteSettings } from "./sqlite-options.ts";
import type { Reader } from "./stored-rows.ts";
import { WriteQueue } from "./write-queue.ts";

/** A store whose database is open. */
export class OpenStore {
  readonly database: OpenDatabase;
  readonly reader: Reader;
  readonly leases: Leases;
  readonly foreign: ForeignCommits;
  readonly #writes: WriteQueue;
  readonly #checkpoints: Checkpoints;
  readonly #watchers: Watchers;
  readonly #known = new KnownSessions();

  constructor(database: OpenDatabase, settings: SqliteSettings, hears: { watchers: Watchers; damage: DamageReports }) {
    const { connection, store } = database;
    this.database = database;
    this.reader = { connection, damage: new RowDamage(store, hears.damage) };
    this.leases = new Leases(connection, settings.clock);
    this.#watchers = hears.watchers;
    this.#checkpoints = new Checkpoints(database, settings.clock);
    this.#writes = new WriteQueue(database, settings, () => this.#checkpoints.schedule());
    this.foreign = new ForeignCommits({
      clock: settings.clock,
      pollMs: settings.pollMs,
      seqOf: (sessionID) => Number(connection.first("SELECT seq FROM session WHERE id = ?", [sessionID])?.[0] ?? 0),
      notify: (sessionID) => this.#watchers.notify(sessionID),
    });
  }

  async commit(batch: Batch): Promise<{ seq: number }> {
    checkBatch(batch);
    const { seq, changed, known } = await this.#writes.add(() => commitBatch(this.reader, this.#known, batch));
    if (known !== undefined) this.#known.keep(batch, known);
    for (const sessionID of changed) {
      this.foreign.note(sessionID, seq);
      this.#watchers.notify(sessionID);
    }
    return { seq };
  }

  /** Runs a write inside a transaction. */
  write<T>(run: () => T): Promise<T> {
    return this.#writes.add(run);
  }

  /** Runs several SELECTs that see one state. */
  snapshot<T>(read: (reader: Reader) => T): T {
    const { connection } = this.database;
    connection.exec("BEGIN");
    try {
      return read(this.reader);
    } finally {
      connection.exec("COMMIT");
    }
  }

  close(): void {
    this.#writes.close();
    this.foreign.stop();
    this.#checkpoints.stop();
    this.#checkpoints.run();
    if (!this.database.isForeign) this.database.connection.close();
  }
}
