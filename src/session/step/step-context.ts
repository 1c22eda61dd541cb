import type { IDSource } from "../../message/ids.ts";
import type { Clock } from "../../util/clock.ts";
import type { LogRecord } from "../../util/logger.ts";
import type { Journal } from "../journal/journal.ts";

/** What the parts of a step need from their surroundings. */
export interface StepContext {
  journal: Journal;
  clock: Clock;
  ids: IDSource;
  /** Logs a record; the session's and the turn's ids are added. */
  log: (record: LogRecord) => void;
}
