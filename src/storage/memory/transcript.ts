import type { Message } from "../../message/message.ts";

/** The promoted messages of a session, by position. */
export class Transcript {
  /** Oldest first. */
  readonly #messages: PlacedMessage[] = [];
  /** Also of deleted messages while their tombstones are kept: a reader may be paging from one of them. */
  readonly #positions = new Map<string, number>();

  get length(): number {
    return this.#messages.length;
  }

  /** Where a message stands or stood. */
  positionOf(messageID: string): number | undefined {
    return this.#positions.get(messageID);
  }

  /** The message at a position. */
  at(position: number): PlacedMessage | undefined {
    const message = this.#messages[this.indexOf(position)];
    return message?.position === position ? message : undefined;
  }

  /** How many messages stand before a position. */
  indexOf(position: number): number {
    // Nearly always the newest message, or the one to come.
    if (position > (this.#messages.at(-1)?.position ?? -Infinity)) return this.#messages.length;
    let low = 0;
    let high = this.#messages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#messages[middle]?.position ?? Infinity) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The messages with index `start` to `end` (without it), newest first. */
  newestFirst(start: number, end: number): string[] {
    return this.#messages
      .slice(start, end)
      .map(({ messageID }) => messageID)
      .reverse();
  }

  /** Takes a new state of a message over; `undefined` for one that is gone. */
  update(messageID: string, previous: Message | undefined, message: Message | undefined): void {
    if (previous?.position !== undefined && previous.position !== message?.position) this.#remove(messageID, previous.position);
    if (message?.position !== undefined) this.place(messageID, message.position);
  }

  /** Where a message stood that is gone, for readers that page from it. */
  remember(messageID: string, position: number): void {
    this.#positions.set(messageID, position);
  }

  forget(messageID: string): void {
    this.#positions.delete(messageID);
  }

  place(messageID: string, position: number): void {
    const index = this.indexOf(position);
    if (this.#messages[index]?.messageID !== messageID) this.#messages.splice(index, 0, { messageID, position });
    this.#positions.set(messageID, position);
  }

  #remove(messageID: string, position: number): void {
    for (let index = this.indexOf(position); this.#messages[index]?.position === position; index += 1) {
      if (this.#messages[index]?.messageID !== messageID) continue;
      this.#messages.splice(index, 1);
      return;
    }
  }
}

export interface PlacedMessage {
  messageID: string;
  position: number;
}
