import { spliceText } from "../operations/splice-text.ts";
import type { TextView } from "../operations/session-view.ts";
import type { Change } from "../storage.ts";
import { Table, type Entry } from "./table.ts";

/** A table of rows with a text that grows. */
export class TextTable<T extends object> extends Table<T> implements TextView<T> {
  readonly #withText: (row: T, text: string) => T;

  /** @param withText the row with another text; without one a row has the field `text` and nothing that depends on it */
  constructor(
    toChange: (entry: Entry<T>) => Change | undefined,
    withText: (row: T, text: string) => T = (row, text) => ({ ...row, text }),
    thaw?: (key: string) => Entry<T> | undefined,
  ) {
    super(toChange, undefined, thaw);
    this.#withText = withText;
  }

  append(key: string, offset: number, text: string): boolean {
    const row = this.get(key);
    if (row === undefined || !("text" in row) || typeof row.text !== "string" || offset > row.text.length) return false;
    // What the old row contains is frozen already.
    this.put(key, Object.freeze(this.#withText(row, spliceText(row.text, offset, text))));
    return true;
  }
}
