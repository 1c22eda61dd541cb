import { StorageError, ThroughlineError } from "../../errors.ts";
import type { GuardedOperation, Lease, OwnerOperation } from "../../storage/storage.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { nextTurn } from "../../util/next-turn.ts";
import type { EventPayload, SessionEvent, SessionEventType } from "../events.ts";
import type { GrowingPart } from "./growing-texts.ts";
import type { JournalOptions } from "./journal-options.ts";
import { addOperation, type Segment } from "./segment.ts";
import { errorMessage } from "../../util/error-message.ts";

/**
 * How long a write may wait for others to share its commit: `now` for what is written in the same breath, `soon` until the
 * event loop turns, `later` up to {@link laterMs}. Each goes with the next commit in any case.
 */
export type Urgency = "now" | "soon" | "later";

/** Streamed text and progress are stored at the latest after this time. */
export const laterMs = 250;

/**
 * The one writer of a session: commits in order, then publishes. An event waits behind every write that was made before
 * it; while nothing waits, it is published at once.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #segments: Segment[] = [];
  #seq: number;
  #foreignSeq: number;
  #lease: Lease | undefined;
  #committing = false;
  #scheduled = false;
  #turnScheduled = false;
  #timer: unknown;
  #failure: ThroughlineError | undefined;
  /** The turn that events belong to from now on. */
  turnID: string | undefined;
  /** Who makes the texts that grow just now. */
  growing: { parts(): GrowingPart[] } | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#seq = this.#foreignSeq = options.seq;
  }

  get rootID(): string {
    return this.#options.rootID;
  }

  /** The session's newest `seq` known here. */
  get seq(): number {
    return this.#seq;
  }

  /** The newest `seq` that may be of somebody else: all that came after it is from here, and published. */
  get foreignSeq(): number {
    return this.#foreignSeq;
  }

  /** A commit is under way. */
  get isCommitting(): boolean {
    return this.#committing;
  }

  /** Nothing may be written or published any more. */
  fail(error: ThroughlineError): void {
    this.#failure ??= error;
  }

  /** Why nothing can be written any more. */
  get failure(): ThroughlineError | undefined {
    return this.#failure;
  }

  /** Writes belong to this lease from now on. */
  setLease(lease: Lease | undefined, seq?: number): void {
    this.#lease = lease;
    if (seq !== undefined) this.advance(seq);
  }

  /** The session was read at this `seq`: what came before it is known. */
  advance(seq: number): void {
    if (seq > this.#seq) this.#seq = this.#foreignSeq = seq;
  }

  /** The stored parts whose text grows just now, with all of the text, also what is not stored yet. */
  growingParts(): GrowingPart[] {
    const waiting = this.#segments.flatMap(({ operations }) => operations.map((operation) => (operation.type === "part.put" ? operation.part.id : undefined)));
    return (this.growing?.parts() ?? []).filter(({ id }) => !waiting.includes(id));
  }

  /** An event of this session; its `seq` is set when it is published. */
  event<K extends SessionEventType>(type: K, payload: EventPayload<K>, turnID: string | undefined = this.turnID): SessionEvent {
    const { sessionID, rootID, clock } = this.#options;
    // Assigned, not spread: a spread behind other fields is several times slower, and a step has a dozen events.
    const event = Object.assign({ type, sessionID, rootID, seq: this.#seq, time: clock.now(), turnID }, payload);
    // `type` and `payload` come from the same key of the event map, which the compiler cannot see.
    return event as unknown as SessionEvent;
  }

  /** Adds operations of the lease's owner to the next commit. The rows must not be changed afterwards. */
  write(operations: readonly OwnerOperation[], events: readonly SessionEvent[], urgency: Urgency = "now"): void {
    const segment = this.#segmentFor(this.#lease);
    for (const operation of operations) addOperation(segment.operations, operation);
    for (const event of events) segment.events.push(event);
    if (urgency === "now") this.#hurry(segment);
    else if (urgency === "soon") this.#hurryNextTurn();
    else this.#timer ??= this.#options.clock.setTimeout(() => this.#onTimer(), laterMs);
  }

  /**
   * Commits guarded operations, which need no lease.
   *
   * @throws {ConflictError} a guard failed: nothing was written
   */
  guarded(operations: readonly GuardedOperation[], events: readonly SessionEvent[]): Promise<void> {
    return this.#guard({ lease: undefined, operations: [...operations], events: [...events] });
  }

  /**
   * Commits the promotion of a prompt by the lease's owner, and what belongs to it.
   *
   * @throws {ConflictError} it is not queued any more, e.g. because another process cancelled it: nothing was written
   */
  promote(operations: readonly OwnerOperation[], events: readonly SessionEvent[]): Promise<void> {
    return this.#guard({ lease: this.#lease, operations: [...operations], events: [...events] });
  }

  /** Publishes an event after all that was written before it. */
  emit(event: SessionEvent): void {
    const last = this.#segments.at(-1);
    if (last === undefined) {
      if (this.#failure === undefined) this.#publish(event);
    } else if (last.guarded) {
      // What a guard refuses takes its own events along, and no others.
      this.#hurry(this.#append({ lease: this.#lease, operations: [], events: [event] }));
    } else last.events.push(event);
  }

  /** Resolves when all that was written so far is stored and published. */
  flush(): Promise<void> {
    const last = this.#segments.at(-1);
    if (last === undefined) return this.#failure === undefined ? Promise.resolve() : Promise.reject(this.#failure);
    this.#hurry(last);
    const settled = this.#settled(last);
    // What a guard refuses concerns its caller alone; nothing of it had to be stored.
    return last.guarded ? settled.catch((error: unknown) => { if (this.#failure !== undefined) throw error; }) : settled;
  }

  #settled(segment: Segment): Promise<void> {
    return new Promise((resolve, reject) => segment.waiting.push({ resolve, reject }));
  }

  /** The last segment when it can still grow, else a new one. The first is closed while its commit is under way. */
  #segmentFor(lease: Lease | undefined): Segment {
    const last = this.#segments.at(-1);
    const open = last !== undefined && !last.guarded && last.lease === lease && !(this.#committing && this.#segments.length === 1);
    return open ? last : this.#append({ lease, operations: [], events: [] });
  }

  #guard(content: Pick<Segment, "lease" | "operations" | "events">): Promise<void> {
    deepFreeze(content.operations);
    const segment = this.#append(content, true);
    this.#hurry(segment);
    return this.#settled(segment);
  }

  #append(content: Pick<Segment, "lease" | "operations" | "events">, guarded = false): Segment {
    const { lease, operations, events } = content;
    const segment: Segment = { lease, guarded, operations, events, urgent: false, waiting: [] };
    this.#segments.push(segment);
    return segment;
  }

  /** Commits the segment, and so all before it. Not at once: what else is written in this tick goes into the same commit. */
  #hurry(segment: Segment): void {
    segment.urgent = true;
    if (this.#scheduled) return;
    this.#scheduled = true;
    // A promise job, since queueMicrotask costs an async resource in Node.
    void Promise.resolve().then(() => {
      this.#scheduled = false;
      if (!this.#committing) void this.#drain();
    });
  }

  #hurryNextTurn(): void {
    if (this.#turnScheduled) return;
    this.#turnScheduled = true;
    nextTurn(() => {
      nextTurn(() => {
        this.#turnScheduled = false;
        this.#hurryLast();
      });
    });
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.#hurryLast();
  }

  /** What could wait has waited long enough. */
  #hurryLast(): void {
    const last = this.#segments.at(-1);
    if (last !== undefined && !last.urgent) this.#hurry(last);
  }

  async #drain(): Promise<void> {
    this.#committing = true;
    for (;;) {
      const segment = this.#segments[0];
      if (segment === undefined || !this.#segments.some(({ urgent }) => urgent)) break;
      await this.#settle(segment);
    }
    this.#committing = false;
    if (this.#segments.length > 0 || this.#timer === undefined) return;
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Commits the first segment, publishes its events, and tells who waits for it. */
  async #settle(segment: Segment): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#commit(segment);
      for (const event of segment.events) this.#publish(event);
      this.#segments.shift();
      for (const { resolve } of segment.waiting) resolve();
    } catch (error) {
      this.#segments.shift();
      // A guard that fails concerns its caller alone; a leased commit that fails leaves memory ahead of the store.
      if (!segment.guarded) this.#failure ??= asFailure(error);
      for (const { reject } of segment.waiting) reject(error);
    }
  }

  async #commit(segment: Segment): Promise<void> {
    if (segment.operations.length === 0) return;
    const { storage, sessionID } = this.#options;
    const { seq } = await storage.commit(Object.freeze({ sessionID, lease: segment.lease, operations: Object.freeze(segment.operations) }));
    if (seq !== this.#seq + 1) {
      this.#foreignSeq = Math.max(this.#foreignSeq, seq - 1);
      this.#options.onForeignWrite();
    }
    this.#seq = seq;
  }

  #publish(event: SessionEvent): void {
    event.seq = this.#seq;
    this.#options.publish(event);
  }
}

function asFailure(error: unknown): ThroughlineError {
  if (ThroughlineError.isInstance(error) && (error.code === "lease-lost" || error.code === "storage")) return error;
  return new StorageError(`The storage refused a write: ${errorMessage(error)}`, error);
}
