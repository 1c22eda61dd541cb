/** A record that cannot be read. */
export interface Damage {
  /** Absent when not even that can be told. */
  sessionID?: string | undefined;
  record: "session" | "message" | "part" | "ask" | "artifact" | "abort" | "commit";
  /** The record's id, as far as it is known. */
  id?: string | undefined;
  /** Where it is, for people: a file and line, a table and row. */
  where: string;
  reason: string;
}
