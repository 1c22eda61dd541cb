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
