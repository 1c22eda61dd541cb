import { InterruptedTurnError, LeaseLostError, SessionNotFoundError, StorageError } from "../errors.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { Lease } from "../storage/storage.ts";
import { wellFormed } from "../util/well-formed.ts";
import { withDeadline } from "../util/with-deadline.ts";
import { ActiveTurn } from "./active-turn.ts";
import { followOwner } from "./follow-owner.ts";
import { keepLease } from "./keep-lease.ts";
import type { LiveSession } from "./live-session.ts";
import { Processor } from "./processor.ts";
import { runLoop } from "./prompt-loop.ts";
import { Transcript } from "./transcript.ts";

/** What lives as long as the lease is held. */
interface Run {
  transcript: Transcript;
  processor: Processor;
  /** Queued prompts that were read and not promoted yet, in order of admission. */
  queue: WithParts<UserMessage>[];
}

/** Works off a session's prompts, one turn at a time. Holds the lease only while there is work. */
export class Runner {
  readonly #live: LiveSession;
  #running: Promise<void> | undefined;

  constructor(live: LiveSession) {
    this.#live = live;
  }

  /** There is work, or may be. */
  wake(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const live = this.#live;
    const { storage, leases, owner } = live.context;
    try {
      // A prompt that arrives while this ends is noticed here: it has set `hasMail`, or waits in `turns`.
      while (live.hasMail || live.turns.size > 0) {
        if (live.closed) return;
        const lease = await this.#bounded(storage.acquireLease(live.info.rootID, owner, leases.ttlMs));
        if (lease === undefined) await followOwner(live);
        else await this.#work(lease);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Works with the lease until nothing is queued, then gives it back. */
  async #work(lease: Lease): Promise<void> {
    const live = this.#live;
    const { storage, clock, leases } = live.context;
    const stopKeeping = keepLease({ storage, clock, lease, ttlMs: leases.ttlMs, onLost: (error) => live.running?.controller.abort(error) });
    live.setStatus({ type: "busy" });
    let settle = (): void => undefined;
    try {
      const run = await this.#open(lease);
      for (;;) {
        const next = await this.#nextPrompt(run);
        if (next !== undefined) {
          settle();
          settle = await live.context.turnSlots.add(() => this.#turn(run, next));
        } else if (await this.#release(lease, run)) break;
      }
    } finally {
      stopKeeping();
      live.journal.setLease(undefined);
      live.setStatus({ type: "idle" });
      settle();
    }
    this.#dropInterrupted();
  }

  /** With nothing queued, a stored prompt that has no outcome is one that a crash cut short. Nothing resumes it by itself. */
  #dropInterrupted(): void {
    const live = this.#live;
    // In a closed session prompts are left over because they wait in the store, not because of a crash.
    if (live.hasMail || live.closed) return;
    for (const control of [...live.turns.values()]) {
      if (control.isAccepted) control.fail(new InterruptedTurnError(control.messageID));
    }
  }

  async #open(lease: Lease): Promise<Run> {
    const live = this.#live;
    const { context, journal } = live;
    const info = await this.#bounded(context.storage.getSession(live.info.id));
    if (info === undefined) throw new SessionNotFoundError(live.info.id);
    live.info = info;
    live.hasMail = true;
    journal.setLease(lease, info.seq);
    const transcript = live.rememberedTranscript(info.seq) ?? (await Transcript.read(context.storage, info.id, info.seq));
    const { policy, timeouts, prices, toolConcurrency, clock, ids, logger } = context;
    const processor = new Processor({ journal, permissions: policy, timeouts, prices, concurrency: { tools: toolConcurrency }, clock, ids, logger });
    return { transcript, processor, queue: [] };
  }

  async #turn(run: Run, next: WithParts<UserMessage>): Promise<() => void> {
    const live = this.#live;
    const { journal, context } = live;
    const turn = new ActiveTurn(live, run.transcript, run.processor, next.info);
    journal.turnID = turn.turnID;
    live.running = { messageID: next.info.id, controller: turn.controller };
    if (live.turns.get(next.info.id)?.abortRequested === true) turn.controller.abort(userAbort());
    try {
      turn.promote(next);
      if (live.info.title === "") live.update({ title: titleOf(next) });
      journal.emit(journal.event("turn.started", { messageID: next.info.id }));
      const ending = await runLoop(turn, () => this.#promoteSteered(run, turn));
      context.logger?.({ level: "debug", message: "A turn ended.", sessionID: live.info.id, turnID: turn.turnID, outcome: ending.type });
      return await turn.finish(ending);
    } catch (error) {
      // Tools that still run must not go on for a session that cannot store their results.
      turn.controller.abort(error);
      throw error;
    } finally {
      live.running = undefined;
      journal.turnID = undefined;
    }
  }

  async #nextPrompt(run: Run): Promise<WithParts<UserMessage> | undefined> {
    await this.#readInbox(run);
    return this.#live.closed ? undefined : run.queue.shift();
  }

  async #promoteSteered(run: Run, turn: ActiveTurn): Promise<void> {
    await this.#readInbox(run);
    const joins = (prompt: WithParts<UserMessage>): boolean => prompt.info.delivery === "steer";
    for (const prompt of run.queue.filter(joins)) turn.promote(prompt);
    run.queue = run.queue.filter((prompt) => !joins(prompt));
  }

  async #readInbox(run: Run): Promise<void> {
    const live = this.#live;
    if (!live.hasMail) return;
    live.hasMail = false;
    // What was promoted is still on its way to the store, and would be read as queued.
    await live.journal.flush();
    const inbox = await this.#bounded(live.context.storage.inbox(live.info.id));
    live.journal.advance(inbox.seq);
    run.queue = inbox.queued;
  }

  /** Gives the lease back. False when something came in that was not seen yet. */
  async #release(lease: Lease, run: Run): Promise<boolean> {
    const live = this.#live;
    const { storage, owner, leases } = live.context;
    await live.journal.flush();
    run.transcript.seq = live.journal.seq;
    live.remember(run.transcript);
    if (await this.#bounded(storage.releaseLease(lease, { ifSeq: live.journal.seq }))) return true;
    const renewed = await this.#bounded(storage.acquireLease(lease.rootID, owner, leases.ttlMs));
    if (renewed?.fence !== lease.fence) throw new LeaseLostError(lease.rootID);
    live.hasMail = true;
    return live.closed;
  }

  /** The session cannot go on here: nobody may wait for it in vain. */
  #fail(error: unknown): void {
    const live = this.#live;
    live.hasMail = false;
    live.context.logger?.({ level: "error", message: "The session stopped.", sessionID: live.info.id, error });
    for (const control of [...live.turns.values()]) control.fail(error);
  }

  #bounded<T>(answer: Promise<T>): Promise<T> {
    const { clock, timeouts } = this.#live.context;
    return withDeadline(answer, clock, timeouts.storageMs, () => new StorageError(`The storage did not answer within ${timeouts.storageMs} ms.`));
  }
}

/** The reason of an abort that somebody asked for. */
export function userAbort(): DOMException {
  return new DOMException("The turn was aborted.", "AbortError");
}

const longestTitle = 100;

/** A prompt's first line, for a session that has no title. */
function titleOf({ parts }: WithParts): string {
  const text = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : [])).join("\n");
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length <= longestTitle ? line : wellFormed(`${line.slice(0, longestTitle - 1)}…`);
}
