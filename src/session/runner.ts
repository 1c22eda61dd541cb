import { InterruptedTurnError } from "../errors.ts";
import { monotonicNow } from "../util/clock.ts";
import type { Engine } from "./engine.ts";
import { followOwner, followWaiting, giveWay, settleStored } from "./follow-owner.ts";
import type { LiveSession } from "./live-session.ts";
import { findResumed } from "./recovery/resume-turn.ts";

/** Works off a session's prompts, one turn at a time. Holds the lease only while there is work. */
export class Runner {
  readonly #live: LiveSession;
  readonly #engine: Engine;
  #running: Promise<void> | undefined;

  constructor(live: LiveSession, engine: Engine) {
    this.#live = live;
    this.#engine = engine;
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
    let follows = false;
    let gaveWay: string | undefined;
    try {
      // A prompt that arrives while this ends is noticed here: it has set `hasMail`, or waits in `turns`.
      while (hasWork(live)) {
        if (live.closed) return;
        if (live.resuming !== undefined && !(await findResumed(live)) && live.turns.size === 0 && live.wantedCompaction === undefined) {
          live.hasMail = false;
          continue;
        }
        const heldSince = monotonicNow(live.context.clock);
        const lease = await storage.acquireLease(live.info.rootID, owner, leases.ttlMs);
        if (lease === undefined) {
          follows = true;
          await followOwner(live);
          continue;
        }
        const gives = follows ? await giveWay(live, lease, gaveWay) : undefined;
        if (gives !== undefined) {
          gaveWay = gives;
          continue;
        }
        follows = false;
        await this.#engine.workOff(live, { lease, heldSince });
        if (live.waitsForAnswer) await followWaiting(live);
        else await this.#dropLeftOver();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * With nothing queued, a prompt that still waits was cancelled by another process; or it has no outcome, because a crash
   * cut it short. Nothing resumes that by itself.
   */
  async #dropLeftOver(): Promise<void> {
    const live = this.#live;
    // In a closed session prompts are left over because they wait in the store, not because of a crash.
    if (live.hasMail || live.closed) return;
    const left = [...live.turns.values()].filter((control) => control.isAccepted);
    if (left.length > 0) await settleStored(live);
    for (const control of left) control.fail(new InterruptedTurnError(control.messageID));
  }

  /** The session cannot go on here: nobody may wait for it in vain. */
  #fail(error: unknown): void {
    const live = this.#live;
    live.hasMail = false;
    live.context.logger?.({ level: "error", message: "The session stopped.", sessionID: live.info.id, error });
    live.failTurns(error);
  }
}

function hasWork(live: LiveSession): boolean {
  return live.hasMail || live.turns.size > 0 || live.resuming !== undefined || live.wantedCompaction !== undefined;
}
