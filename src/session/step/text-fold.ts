import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { PartBase } from "../../message/file-part.ts";
import type { ProviderMetadata } from "../../message/json.ts";
import { mergeMetadata } from "../../message/merge-metadata.ts";
import type { ReasoningPart, TextPart } from "../../message/part.ts";
import { wellFormed } from "../../util/well-formed.ts";
import type { GrowingPart } from "../journal/growing-texts.ts";
import { laterMs } from "../journal/journal.ts";
import { copyMetadata } from "./metadata-of.ts";
import type { StepContext } from "./step-context.ts";
import type { StepParts } from "./step-parts.ts";

type BlockType = "text" | "reasoning";

/** A block of text that is still growing. */
interface OpenBlock {
  row: TextPart | ReasoningPart;
  start: number;
  metadata: ProviderMetadata | undefined;
  /** What the store has, piece by piece: joined only at the end, since a text that grows delta by delta is slow to read. */
  stored: string[];
  storedLength: number;
  /** What has come since. */
  fresh: string[];
  length: number;
}

/** Folds text and reasoning blocks, which may interleave, into their parts. */
export class TextFold {
  readonly #open: Readonly<Record<BlockType, Map<string, OpenBlock>>> = { text: new Map(), reasoning: new Map() };
  readonly #parts: StepParts;
  readonly #base: Omit<PartBase, "id">;
  readonly #context: StepContext;
  #timer: unknown;

  constructor(parts: StepParts, base: Omit<PartBase, "id">, context: StepContext) {
    this.#parts = parts;
    this.#base = base;
    this.#context = context;
    context.journal.growing = this;
  }

  /** The parts whose text grows, with all that has come. */
  parts(): GrowingPart[] {
    const blocks = [...this.#open.reasoning.values(), ...this.#open.text.values()];
    return blocks.map(({ row, stored, fresh }) => ({ ...row, text: stored.join("") + fresh.join("") }));
  }

  open(type: BlockType, id: string, metadata: SharedV4ProviderMetadata | undefined): OpenBlock {
    // A second start of an open block ends the first: ids are the provider's, and some use one again.
    this.close(type, id, undefined);
    const start = this.#context.clock.now();
    const row: TextPart | ReasoningPart = { id: this.#context.ids("prt"), ...this.#base, type, text: "", time: { start } };
    const block: OpenBlock = { row, start, metadata: copyMetadata(metadata), stored: [], storedLength: 0, fresh: [], length: 0 };
    this.#open[type].set(id, block);
    this.#parts.add(row);
    return block;
  }

  append(type: BlockType, id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const block = this.#open[type].get(id) ?? this.open(type, id, undefined);
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
      offset: block.length,
      delta,
    });
    block.fresh.push(delta);
    block.length += delta.length;
    this.#timer ??= clock.setTimeout(() => {
      this.#store();
    }, laterMs);
  }

  close(type: BlockType, id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const block = this.#open[type].get(id);
    if (block === undefined) return;
    this.#open[type].delete(id);
    if (this.#open.text.size === 0 && this.#open.reasoning.size === 0) this.#stopTimer();
    const merged = mergeMetadata(block.metadata, copyMetadata(metadata));
    const text = wellFormed(block.stored.join("") + block.fresh.join(""));
    const row = { ...block.row, text, time: { start: block.start, end: this.#context.clock.now() }, ...(merged !== undefined && { metadata: merged }) };
    // The finish often follows at once: both then go into one commit.
    this.#parts.replace(row, "soon");
  }

  closeAll(): void {
    for (const type of ["reasoning", "text"] as const) for (const id of [...this.#open[type].keys()]) this.close(type, id, undefined);
    this.#stopTimer();
    if (this.#context.journal.growing === this) this.#context.journal.growing = undefined;
  }

  /** Appends to the store what has come since the last time, so that a crash loses little. */
  #store(): void {
    this.#timer = undefined;
    for (const block of [...this.#open.reasoning.values(), ...this.#open.text.values()]) {
      const fresh = block.fresh.join("");
      const text = withoutHalfPair(fresh);
      block.fresh = text === fresh ? [] : [fresh.slice(text.length)];
      if (text === "") continue;
      const { messageID, id: partID } = block.row;
      this.#context.journal.write([{ type: "part.append", messageID, partID, field: "text", offset: block.storedLength, text }], []);
      block.stored.push(text);
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
