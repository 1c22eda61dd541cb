import type { Ask } from "../../message/ask.ts";
import { nextTurn } from "../../util/next-turn.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import type { EventPayload, SessionEvent, SessionEventType, SessionStatus } from "../events.ts";
import { ForeignCommits } from "../foreign-commits.ts";
import { GrowingTexts, type GrowingPart } from "../journal/growing-texts.ts";
import type { LiveSession } from "../live-session.ts";
import { LiveQueue } from "./live-queue.ts";
import { readTransfer, type StateTransfer } from "./state-transfer.ts";
import type { SessionReset, StreamItem } from "./stream-item.ts";
import { StreamProgress } from "./stream-progress.ts";

/** Where a reader begins, and what ends it. */
export interface ReaderOptions {
  after: string | number | undefined;
  /** The `seq` that was known when the stream was asked for. */
  calledAt: number;
  stop: AbortSignal;
}

/** What only this process knows of a session, at the moment from which on live events are kept. */
interface Moment {
  growing: readonly GrowingPart[];
  status: SessionStatus;
}

/**
 * Reads a session for one consumer: the state of what changed, then the live events. The order keeps out gaps: it listens
 * first, reads the store second, and lets pass of what it heard only what the store had not told. Whatever it did not hear,
 * be it that another process wrote or that the consumer was slow, it reads from the store in the same way.
 */
export class StreamReader {
  readonly #live: LiveSession;
  readonly #options: ReaderOptions;
  readonly #queue: LiveQueue;
  readonly #foreign: ForeignCommits;
  readonly #texts: GrowingTexts;
  readonly #progress: StreamProgress;
  #wake: (() => void) | undefined;
  #isOver = false;
  /** As the consumer knows it. */
  #status: SessionStatus = { type: "idle" };

  /** Listens from now on, until `close`. */
  constructor(live: LiveSession, options: ReaderOptions) {
    this.#live = live;
    this.#options = options;
    const wake = (): void => this.#wake?.();
    this.#queue = new LiveQueue(live, wake);
    this.#foreign = new ForeignCommits(live, wake);
    this.#texts = new GrowingTexts(() => live.journal.growing?.parts() ?? []);
    this.#progress = new StreamProgress(this.#queue, { sessionID: live.info.id, created: live.info.time.created });
    this.#isOver = live.closed;
    options.stop.addEventListener("abort", wake, { once: true });
  }

  /** The first items, to be asked for once. `undefined` when there will be none. */
  begin(): Promise<StreamItem[] | undefined> {
    const { after, calledAt } = this.#options;
    const moment = this.#moment();
    const isLate = this.#live.journal.seq !== calledAt;
    return this.#unlessOver(async () => {
      await untilAborted(this.#foreign.watch(), this.#options.stop);
      // Who asked for what happens from now on, and did not begin at once, has missed something already.
      if (after !== undefined || isLate) return this.#beginAfter(after ?? calledAt, moment);
      this.#status = moment.status;
      await this.#beginNow(calledAt);
      return [];
    });
  }

  /** The next items, possibly none; `undefined` at the end. Waits for something to happen. */
  next(): Promise<StreamItem[] | undefined> {
    return this.#unlessOver(async () => {
      // The events of one commit are published in one go: not to be in the midst of it, when a listener asks.
      await Promise.resolve();
      const entry = this.#queue.take();
      if (entry !== undefined) return entry === "gap" ? this.#closeGap() : this.#takeLive(entry);
      if (this.#queue.ending !== undefined) return this.#end(this.#queue.ending);
      if (this.#queue.overflowed) return this.#fallBack();
      return this.#foreign.mayBe ? this.#look() : this.#wait();
    });
  }

  close(): void {
    this.#foreign.close();
    this.#queue.close();
  }

  async #unlessOver(read: () => Promise<StreamItem[]>): Promise<StreamItem[] | undefined> {
    if (this.#isOver || this.#isStopped()) return undefined;
    try {
      return await read();
    } catch (error) {
      if (this.#isStopped()) return undefined;
      // A store may be closed as soon as the session is.
      if (this.#queue.ending !== undefined) return this.#end(this.#queue.ending);
      throw error;
    }
  }

  #isStopped(): boolean {
    return this.#options.stop.aborted;
  }

  /** To be taken in the same breath as the queue begins. */
  #moment(): Moment {
    return { growing: this.#live.journal.growingParts(), status: this.#live.status };
  }

  #beginAfter(after: string | number, moment: Moment): Promise<StreamItem[]> {
    const seq = this.#progress.seqOf(after);
    this.#progress.begin(seq ?? 0);
    return this.#transfer(seq, moment);
  }

  /** Another process may have written more than is known here: that is no news. */
  async #beginNow(calledAt: number): Promise<void> {
    const { context, info } = this.#live;
    const stored = await untilAborted(context.storage.getSession(info.id), this.#options.stop);
    this.#progress.begin(calledAt, Math.max(calledAt, stored?.seq ?? 0));
    this.#foreign.mayBe = stored === undefined;
  }

  #takeLive(event: SessionEvent): StreamItem[] {
    const isNews = this.#progress.take(event);
    if (!isNews) return [];
    if (event.type === "part.delta") return this.#texts.follow(event).map((item) => this.#item(item, this.#progress.cursor));
    if (event.type === "session.status") this.#status = event.status;
    this.#texts.note(event);
    return [this.#item(event, this.#progress.cursor)];
  }

  #closeGap(): Promise<StreamItem[]> | StreamItem[] {
    return this.#live.journal.foreignSeq > this.#progress.covered ? this.#transfer(this.#progress.covered) : [];
  }

  /** The consumer was too slow: what it did not get is read from the store, from the last that it got. */
  #fallBack(): Promise<StreamItem[]> {
    this.#queue.restart();
    this.#progress.fallBack();
    return this.#transfer(this.#progress.given, this.#moment());
  }

  /** Somebody may have written. Mostly it was this process, whose events are worth more than the rows: they go first. */
  async #look(): Promise<StreamItem[]> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      nextTurn(resolve);
    });
    if (!this.#queue.isEmpty || this.#queue.overflowed || this.#queue.ending !== undefined) return [];
    this.#foreign.mayBe = false;
    const { journal } = this.#live;
    if (journal.foreignSeq <= this.#progress.covered) this.#progress.covered = Math.max(this.#progress.covered, journal.seq);
    return this.#transfer(this.#progress.covered);
  }

  async #wait(): Promise<StreamItem[]> {
    this.#foreign.expect();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return [];
  }

  #end(ending: SessionEvent): StreamItem[] {
    this.#isOver = true;
    return [this.#item(ending, this.#progress.cursor)];
  }

  /** The state of what changed after a `seq`, as events. */
  async #transfer(after: number | undefined, moment?: Moment): Promise<StreamItem[]> {
    const { context, info } = this.#live;
    const read = (from: number): ReturnType<typeof context.storage.changes> => untilAborted(context.storage.changes(info.id, { after: from }), this.#options.stop);
    const transfer = await readTransfer(read, after, moment?.growing ?? []);
    const cursor = this.#progress.transfer(transfer, after);
    if (transfer.reset) this.#texts.clear();
    const events = this.#eventsOf(transfer);
    if (moment !== undefined && moment.status.type !== this.#status.type) events.push(this.#event("session.status", { status: moment.status }, transfer.seq));
    this.#status = moment?.status ?? this.#status;
    const last = events.length - 1;
    return events.map((event, index) => this.#item(event, index === last ? this.#progress.cursor : cursor));
  }

  #eventsOf({ seq, reset, deleted, session, removedMessages, removedParts, rows, asks }: StateTransfer): (SessionEvent | SessionReset)[] {
    const { info, context } = this.#live;
    const events: SessionEvent[] = [];
    if (session !== undefined) events.push(this.#event("session.updated", { session }, seq));
    for (const removed of removedParts) events.push(this.#event("part.removed", { messageID: removed.messageID, partID: removed.partID }, seq));
    for (const messageID of removedMessages) events.push(this.#event("message.removed", { messageID }, seq));
    for (const row of rows) {
      if ("role" in row) events.push(this.#event("message.updated", { message: row }, seq));
      else if (!this.#texts.covers(row)) events.push(this.#event("part.updated", { part: row }, seq));
    }
    for (const ask of asks) events.push(this.#askEvent(ask, seq));
    if (deleted) events.push(this.#event("session.deleted", { session: info }, seq));
    this.#isOver = deleted;
    for (const event of events) this.#texts.note(event);
    return reset ? [{ type: "session.reset", sessionID: info.id, rootID: info.rootID, seq, time: context.clock.now() }, ...events] : events;
  }

  /** What became of an ask so far. */
  #askEvent(ask: Ask, seq: number): SessionEvent {
    if (ask.reply !== undefined) return this.#event("ask.replied", { ask, reply: ask.reply }, seq);
    return this.#event(ask.status === "open" ? "ask.created" : "ask.closed", { ask }, seq);
  }

  #event<K extends SessionEventType>(type: K, payload: EventPayload<K>, seq: number): SessionEvent {
    const { info, context } = this.#live;
    // `type` and `payload` come from the same key of the event map, which the compiler cannot see.
    return Object.assign({ type, sessionID: info.id, rootID: info.rootID, seq, time: context.clock.now(), turnID: undefined }, payload) as unknown as SessionEvent;
  }

  /** A copy: the event is everybody's. */
  #item(event: SessionEvent | SessionReset, cursor: string): StreamItem {
    return Object.assign({}, event, { cursor });
  }
}
