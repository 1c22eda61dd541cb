/** One thing the engine wants the host to know, outside of the typed events. */
export interface LogRecord {
  level: "debug" | "info" | "warn" | "error";
  message: string;
  sessionID?: string | undefined;
  turnID?: string | undefined;
  callID?: string | undefined;
  error?: unknown;
  [detail: string]: unknown;
}

/** Receives log records. The engine prints nothing by itself. */
export type Logger = (record: LogRecord) => void;

/** The host's logger, made harmless: one that throws must not stop a commit, a step or the report of another failure. */
export function guardLogger(logger: Logger | undefined): Logger | undefined {
  if (logger === undefined) return undefined;
  return (record) => {
    try {
      logger(record);
    } catch {
      // Where a logger fails there is nobody left to tell.
    }
  };
}
