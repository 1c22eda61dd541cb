import type fc from "fast-check";
import type { Storage } from "throughline";
import { manualClock, type ManualClock } from "throughline/testing";
import { interceptStorage, never, type StorageMethod } from "../../src/testing/intercept-storage.ts";

/** A step of time that may come between two requests, in milliseconds. */
export interface Time {
  stepMs: number;
  /** Whether time passes while requests wait; else only when nothing else is left to do. */
  passes: "any time" | "when idle";
}

/** What others may see before the one who asked for it knows. */
const writes: ReadonlySet<string> = new Set<StorageMethod>(["commit", "acquireLease", "releaseLease"]);

/**
 * Holds every request that several processes make of one store, and lets them go on one by one, in an order that
 * fast-check draws and can repeat. A request waits before the store hears of it; a write again before its sender hears of
 * the answer.
 */
export class Schedule {
  readonly clock: ManualClock = manualClock(1_700_000_000_000);
  readonly #scheduler: fc.Scheduler;
  readonly #time: Time;
  #underWay = 0;
  #timeScheduled = false;

  constructor(scheduler: fc.Scheduler, time: Time) {
    this.#scheduler = scheduler;
    this.#time = time;
  }

  /** The storage as one process reaches it, until that is dead. */
  through(storage: Storage, name: string, isDead: () => boolean): Storage {
    return interceptStorage(storage, async ({ method, batch }, next) => {
      const what = batch === undefined ? method : batch.operations.map(({ type }) => type).join(" + ");
      await this.#park(`${name}: ${what}`);
      if (isDead()) return never();
      this.#underWay += 1;
      try {
        return await next();
      } finally {
        this.#underWay -= 1;
        if (writes.has(method)) await this.#park(`${name} hears of ${what}`);
        if (isDead()) await never();
      }
    });
  }

  /** Lets everybody go on until this is settled. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const settle = (): void => { settled = true; };
    work.then(settle, settle);
    await this.#drive(() => settled);
    return work;
  }

  /** Lets everybody go on until nobody has anything left to do. */
  async runToEnd(): Promise<void> {
    await this.#drive(() => this.#scheduler.count() === Number(this.#timeScheduled) && this.clock.pending() === 0);
  }

  /** A point of its own in the order: what follows comes anywhere among the others' requests. */
  whenever(what: string): Promise<void> {
    return this.#park(what);
  }

  async #park(what: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), what);
  }

  async #drive(isDone: () => boolean): Promise<void> {
    // Far more than any scenario takes: whatever still goes on then goes on for ever.
    let idle = 0;
    for (let steps = 0; steps < 5000; steps += 1) {
      await this.#quiet();
      if (isDone()) return;
      this.#passTime();
      if (this.#scheduler.count() > 0) {
        idle = 0;
        await this.#scheduler.waitNext(1);
      } else if ((idle += 1) > 500) throw new Error("Everybody waits for something that never comes.");
    }
    throw new Error("It never comes to an end.");
  }

  /** Puts the passing of time among what may happen next, where somebody waits for it. */
  #passTime(): void {
    if (this.#timeScheduled || this.clock.pending() === 0 || (this.#time.passes === "when idle" && this.#scheduler.count() > 0)) return;
    const { stepMs } = this.#time;
    this.#timeScheduled = true;
    void this.#park(`${stepMs} ms pass`).then(async () => {
      this.#underWay += 1;
      await this.clock.advance(stepMs);
      this.#underWay -= 1;
      this.#timeScheduled = false;
    });
  }

  /** Resolves when all processes wait: for a request, or for the time to pass. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns += 1) {
      do await new Promise((resolve) => setImmediate(resolve));
      while (this.#underWay > 0);
    }
  }
}
