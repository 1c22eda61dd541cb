import type { ManualClock } from "../manual-clock.ts";
import { systemClock } from "../../util/clock.ts";
import type { ProcessImage } from "./process-image.ts";

export interface RunLimits {
  clock: ManualClock;
  /** Lets time pass on the store's clock too. */
  advance: (ms: number) => Promise<void>;
  /**
   * Real milliseconds without any activity before time jumps by a second or more. Code that is loaded, or a tool that reads
   * a file, takes real time, in which no time-out may strike.
   */
  patienceMs: number;
  /** Real milliseconds without any activity, and without a timer, after which a process is given up. */
  giveUpMs: number;
}

/** How a process ended: its work done, killed at its crash point, or neither: it waits for what never comes. */
export type RunEnding = "done" | "crashed" | "stuck";

/** Rounds of the event loop without activity after which nothing but time can bring a process on. */
const quietRounds = 4;
/** Longer than any turn of a scenario, in milliseconds of its clock. */
const longestRunMs = 20 * 60_000;
const longJumpMs = 1_000;

/**
 * Lets a process run until its work is done or it crashes. Time stands still while it has something to do, and jumps to
 * the next timer when it has not: so nothing depends on how fast the machine is.
 */
export async function letRun(image: ProcessImage, work: Promise<unknown>, { clock, advance, patienceMs, giveUpMs }: RunLimits): Promise<RunEnding> {
  let ending: RunEnding | undefined;
  const end = (how: RunEnding) => (): void => {
    ending ??= how;
  };
  work.then(end("done"), end("done"));
  void image.storage.crashed.then(end("crashed"));
  const startedAt = clock.monotonic();
  for (;;) {
    await untilQuiet(image, clock, () => ending !== undefined);
    if (ending !== undefined) return ending;
    const dueMs = image.nextDueMs();
    if (dueMs === undefined || dueMs >= longJumpMs) {
      if (await becomesActive(image, clock, dueMs === undefined ? giveUpMs : patienceMs, () => ending !== undefined)) continue;
    }
    if (dueMs === undefined || clock.monotonic() - startedAt > longestRunMs) return "stuck";
    await advance(dueMs);
  }
}

async function untilQuiet(image: ProcessImage, clock: ManualClock, isOver: () => boolean): Promise<void> {
  let seen = image.activity();
  for (let quiet = 0; quiet < quietRounds && !isOver(); quiet += 1) {
    await clock.advance(0);
    if (image.underWay() === 0 && image.activity() === seen) continue;
    seen = image.activity();
    quiet = -1;
  }
}

/** Waits in real time for something to happen that nobody has told of. */
async function becomesActive(image: ProcessImage, clock: ManualClock, realMs: number, isOver: () => boolean): Promise<boolean> {
  const real = systemClock();
  const seen = image.activity();
  const due = image.nextDueMs();
  for (const end = real.now() + realMs; real.now() < end; ) {
    await new Promise<void>((resolve) => real.setTimeout(resolve, 1));
    await clock.advance(0);
    if (isOver() || image.activity() !== seen || image.nextDueMs() !== due) return true;
  }
  return false;
}
