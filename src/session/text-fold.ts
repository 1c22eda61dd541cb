import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { PartBase } from "../message/file-part.ts";
import type { ProviderMetadata } from "../message/json.ts";
import { mergeMetadata } from "../message/merge-metadata.ts";
import type { ReasoningPart, TextPart } from "../message/part.ts";
import { wellFormed } from "../util/well-formed.ts";
import { laterMs } from "./journal.ts";
import { copyMetadata } from "./metadata-of.ts";
import type { StepContext } from "./step-context.ts";
import type { StepParts } from "./step-parts.ts";

/** A block of text that is still growing. */
interface OpenBlock {
  row: TextPart | ReasoningPart;
  start: number;
  text: string;
  metadata: ProviderMetadata | undefined;
  /** How much of the text the store has. */
  storedLength: number;
}

/** Folds text and reasoning blocks, which may interleave, into their parts. */
export class TextFold {
  readonly #open = new Map<string, OpenBlock>();
  readonly #parts: StepParts;
  readonly #base: Omit<PartBase, "id">;
  readonly #context: StepContext;
  #timer: unknown;

  constructor(parts: StepParts, base: Omit<PartBase, "id">, context: StepContext) {
    this.#parts = parts;
    this.#base = base;
    this.#context = context;
  }

  open(type: "text" | "reasoning", id: string, metadata: SharedV4ProviderMetadata | undefined): OpenBlock {
    // A second start of an open block ends the first: ids are the provider's, and some use one again.
    this.close(type, id, undefined);
    const start = this.#context.clock.now();
    const row: TextPart | ReasoningPart = { id: this.#context.ids("prt"), ...this.#base, type, text: "", time: { start } };
    const block: OpenBlock = { row, start, text: "", metadata: metadata && copyMetadata(metadata), storedLength: 0 };
    this.#open.set(`${type}:${id}`, block);
    this.#parts.add(row);
    return block;
  }

  append(type: "text" | "reasoning", id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const block = this.#open.get(`${type}:${id}`) ?? this.open(type, id, undefined);
    if (metadata !== undefined) block.metadata = mergeMetadata(block.metadata, copyMetadata(metadata));
    if (delta === "") return;
    const { journal, clock } = this.#context;
    // One literal of a fixed shape per delta: this runs for every token.
    journal.emit({
      type: "part.delta",
      sessionID: this.#base.sessionID,
      rootID: journal.rootID,
      seq: 0,
      time: clock.now(),
      turnID: journal.turnID,
      messageID: this.#base.messageID,
      partID: block.row.id,
      partType: type,
      field: "text",
      offset: block.text.length,
      delta,
    });
    block.text += delta;
    this.#timer ??= clock.setTimeout(() => {
      this.#store();
    }, laterMs);
  }

  close(type: "text" | "reasoning", id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const key = `${type}:${id}`;
    const block = this.#open.get(key);
    if (block === undefined) return;
    this.#open.delete(key);
    if (this.#open.size === 0) this.#stopTimer();
    const merged = mergeMetadata(block.metadata, metadata && copyMetadata(metadata));
    const time = { start: block.start, end: this.#context.clock.now() };
    const row = { ...block.row, text: wellFormed(block.text), time, ...(merged !== undefined && { metadata: merged }) };
    // The finish often follows in the same tick: both then go into one commit.
    this.#parts.replace(row, "later");
  }

  closeAll(): void {
    for (const [key, block] of [...this.#open]) this.close(block.row.type, key.slice(block.row.type.length + 1), undefined);
    this.#stopTimer();
  }

  /** Appends to the store what has come since the last time, so that a crash loses little. */
  #store(): void {
    this.#timer = undefined;
    for (const block of this.#open.values()) {
      const text = withoutHalfPair(block.text.slice(block.storedLength));
      if (text === "") continue;
      const { messageID, id: partID } = block.row;
      this.#context.journal.write([{ type: "part.append", messageID, partID, field: "text", offset: block.storedLength, text }], []);
      block.storedLength += text.length;
    }
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#context.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Without a high surrogate at the end: its other half is still to come, and a store could not encode it alone. */
function withoutHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
