/** Which history a `seq` counts: another session, or one created anew under the same id, has another one. */
export interface StreamHistory {
  readonly sessionID: string;
  /** When the session was created. */
  readonly created: number;
}

/**
 * Writes a cursor: all up to `seq` was given.
 *
 * @param seq `undefined` when what was given fits no `seq`: who comes back with that cursor begins anew
 */
export function writeCursor(history: StreamHistory, seq: number | undefined): string {
  return `${seq ?? "new"}.${history.created}.${history.sessionID}`;
}

/** The `seq` of a cursor; `undefined` when it is of another history, or no cursor at all. */
export function readCursor(history: StreamHistory, cursor: string): number | undefined {
  const end = cursor.indexOf(".");
  const seq = Number(cursor.slice(0, end));
  const isOurs = /^\d+\./.test(cursor) && Number.isSafeInteger(seq) && cursor === writeCursor(history, seq);
  return isOurs ? seq : undefined;
}
