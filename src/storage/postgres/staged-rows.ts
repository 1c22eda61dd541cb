import type { RowView, TextView } from "../operations/session-view.ts";
import { spliceText } from "../operations/splice-text.ts";

/** A row as it was read for a batch to be judged on. */
export interface StoredRow<T> {
  /** Absent when it is damaged or deleted, or was not read. */
  row: T | undefined;
  /** Whether `row` was asked for: long texts are not, as long as their length will do. */
  isRead: boolean;
  /** A tombstone is known, and that is all. */
  deleted: boolean;
  position?: number | undefined;
  /** The whole text's length, for a row that has one. */
  size?: number | undefined;
  /** It has pieces. */
  grown?: boolean | undefined;
}

/** The batch needs more than the lengths of texts: it must be judged on the texts themselves. */
export class TextNeeded extends Error {}

/** Rows of one kind while a batch is applied to them: what was read, under what the batch has written. */
export class StagedRows<T> implements RowView<T> {
  readonly stored: ReadonlyMap<string, StoredRow<T>>;
  /** `undefined` for a row that is to be deleted. */
  readonly staged = new Map<string, T | undefined>();

  constructor(stored: ReadonlyMap<string, StoredRow<T>>) {
    this.stored = stored;
  }

  get(id: string): T | undefined {
    return this.staged.has(id) ? this.staged.get(id) : this.stored.get(id)?.row;
  }

  put(id: string, row: T): void {
    this.staged.set(id, row);
  }

  delete(id: string): void {
    if (this.isThere(id)) this.staged.set(id, undefined);
  }

  /** Whether there is, or was, such a row. */
  isKnown(id: string): boolean {
    return this.staged.has(id) || this.stored.has(id);
  }

  protected isThere(id: string): boolean {
    if (this.staged.has(id)) return this.staged.get(id) !== undefined;
    return this.stored.get(id)?.deleted === false;
  }
}

/** Rows with a text that grows. What is added at the end needs no more of the row than the text's length. */
export class StagedTexts<T extends object> extends StagedRows<T> implements TextView<T> {
  /** What the batch adds to stored texts, by id. */
  readonly tails = new Map<string, { readonly start: number; text: string }>();
  readonly #withText: (row: T, text: string) => T;

  /** @param withText the row with another text */
  constructor(stored: ReadonlyMap<string, StoredRow<T>>, withText: (row: T, text: string) => T) {
    super(stored);
    this.#withText = withText;
  }

  /** @throws {TextNeeded} */
  override get(id: string): T | undefined {
    if (this.staged.has(id)) return this.staged.get(id);
    const stored = this.stored.get(id);
    if (stored === undefined || stored.deleted) return undefined;
    if (!stored.isRead) throw new TextNeeded();
    const { row } = stored;
    const tail = this.tails.get(id);
    return row === undefined || tail === undefined ? row : this.#withText(row, textOf(row) + tail.text);
  }

  override put(id: string, row: T): void {
    this.tails.delete(id);
    super.put(id, row);
  }

  override delete(id: string): void {
    super.delete(id);
    this.tails.delete(id);
  }

  append(id: string, offset: number, text: string): boolean {
    if (!this.staged.has(id) && this.#appendTail(id, offset, text)) return true;
    const row = this.get(id);
    if (row === undefined || !("text" in row) || typeof row.text !== "string" || offset > row.text.length) return false;
    this.put(id, Object.freeze(this.#withText(row, spliceText(row.text, offset, text))));
    return true;
  }

  #appendTail(id: string, offset: number, text: string): boolean {
    const stored = this.stored.get(id);
    if (stored === undefined || stored.deleted || stored.size === undefined) return false;
    const tail = this.tails.get(id) ?? { start: stored.size, text: "" };
    if (offset !== tail.start + tail.text.length) return false;
    tail.text += text;
    this.tails.set(id, tail);
    return true;
  }
}

function textOf(row: object): string {
  return "text" in row && typeof row.text === "string" ? row.text : "";
}
