import type { Part } from "../../message/part.ts";
import type { SessionEvent } from "../events.ts";
import type { Journal, Urgency } from "../journal/journal.ts";

/** The parts of one assistant message, in order of creation: each change is a new row, written and announced. */
export class StepParts {
  readonly #rows: Part[] = [];
  readonly #places = new Map<string, number>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get all(): readonly Part[] {
    return this.#rows;
  }

  /** Takes a row that is stored already. */
  restore(part: Part): void {
    this.#places.set(part.id, this.#rows.length);
    this.#rows.push(part);
  }

  add(part: Part, urgency: Urgency = "now"): void {
    this.#places.set(part.id, this.#rows.length);
    this.#rows.push(part);
    this.#write(part, [], urgency);
  }

  /** Puts a changed row in the place of the old one; `events` follow its `part.updated`. */
  replace(part: Part, urgency: Urgency = "now", events: readonly SessionEvent[] = []): void {
    const place = this.#places.get(part.id);
    if (place === undefined) throw new RangeError(`Part ${part.id} is not of this message.`);
    this.#rows[place] = part;
    this.#write(part, events, urgency);
  }

  #write(part: Part, events: readonly SessionEvent[], urgency: Urgency): void {
    const updated = this.#journal.event("part.updated", { part });
    this.#journal.write([{ type: "part.put", part }], events.length === 0 ? [updated] : [updated, ...events], urgency);
  }
}
