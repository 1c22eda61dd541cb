import type { Part, ReasoningPart, TextPart } from "../../message/part.ts";
import type { SessionEvent, SessionEventMap } from "../events.ts";

/** A part whose text comes in deltas. */
export type GrowingPart = TextPart | ReasoningPart;

type Delta = SessionEventMap["part.delta"];

/** Whether more text may come. What a person or the engine wrote has no time. */
export function isGrowing(part: Part): part is GrowingPart {
  return (part.type === "text" || part.type === "reasoning") && part.time !== undefined && part.time.end === undefined;
}

/** How much of each text that grows the reader of a stream has, so that no piece is missing and none comes twice. */
export class GrowingTexts {
  /** By message and part. */
  readonly #lengths = new Map<string, number>();
  readonly #present: () => GrowingPart[];

  /** @param present the parts that grow in this process, with all of their text */
  constructor(present: () => GrowingPart[]) {
    this.#present = present;
  }

  clear(): void {
    this.#lengths.clear();
  }

  /** Whether the reader has all of the part's text from deltas, which come before they are stored. */
  covers(part: Part): boolean {
    return isGrowing(part) && part.text.length <= (this.#lengths.get(keyOf(part.messageID, part.id)) ?? -1);
  }

  /** The reader gets this event. */
  note(event: SessionEvent): void {
    if (event.type === "part.updated") this.#noteRow(event.part);
    else if (event.type === "part.removed") this.#lengths.delete(keyOf(event.messageID, event.partID));
    else if (event.type === "message.removed") {
      for (const key of [...this.#lengths.keys()]) if (key.startsWith(keyOf(event.messageID, ""))) this.#lengths.delete(key);
    }
  }

  /**
   * What the reader needs of a delta: nothing that it has, and before the first delta of a part the text so far. Nothing
   * also when the text grows no more: then its final row is on the way.
   */
  follow(delta: Delta): SessionEvent[] {
    const key = keyOf(delta.messageID, delta.partID);
    const end = delta.offset + delta.delta.length;
    const known = this.#lengths.get(key);
    if (known === undefined || delta.offset > known) return this.#begin(delta, key);
    if (end <= known) return [];
    this.#lengths.set(key, end);
    return [known === delta.offset ? delta : { ...delta, offset: known, delta: delta.delta.slice(known - delta.offset) }];
  }

  #begin(delta: Delta, key: string): SessionEvent[] {
    const { sessionID, rootID, seq, time, turnID, messageID, partID, offset } = delta;
    const part = this.#present().find((present) => present.id === partID && present.messageID === messageID);
    if (part === undefined) return [];
    this.#lengths.set(key, offset + delta.delta.length);
    return [{ type: "part.updated", sessionID, rootID, seq, time, turnID, part: { ...part, text: part.text.slice(0, offset) } }, delta];
  }

  #noteRow(part: Part): void {
    const key = keyOf(part.messageID, part.id);
    if (isGrowing(part)) this.#lengths.set(key, part.text.length);
    else this.#lengths.delete(key);
  }
}

function keyOf(messageID: string, partID: string): string {
  return `${messageID} ${partID}`;
}
