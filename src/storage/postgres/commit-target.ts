import type { Clock } from "../../util/clock.ts";
import type { Database } from "./database.ts";
import type { RowReader } from "./row-reader.ts";
import type { WriteTurns } from "./write-turns.ts";

/** What a commit works with. */
export interface CommitTarget {
  database: Database;
  reader: RowReader;
  clock: Clock;
  turns: WriteTurns;
}
