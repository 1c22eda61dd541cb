import { InvalidArgumentError } from "../errors.ts";
import { finiteNumber } from "../util/check-options.ts";
import type { Clock } from "../util/clock.ts";

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Required<Clock> {
  /**
   * Lets `ms` milliseconds pass: runs every timer that comes due, in order of due time (the older one first at a tie),
   * also those that are set on the way. While a timer runs, `now()` is its due time. Before, between and after timers the
   * promise jobs that they started get to settle. Calls queue up.
   *
   * @throws {InvalidArgumentError} `ms` is negative or not finite
   * @throws whatever a timer throws; time then stands where it threw
   */
  advance(ms: number): Promise<void>;
  /**
   * Advances from timer to timer until none is open.
   *
   * @throws {Error} timers keep setting new ones (10,000 have run)
   */
  runAll(): Promise<void>;
  /**
   * Sets the wall clock, also backwards, as an operator or a time server does: `now()` jumps; `monotonic()` and the open
   * timers do not notice.
   *
   * @throws {InvalidArgumentError} `now` is no finite number
   */
  set(now: number): void;
  /** How many timers are open: 0 when nothing was left behind. */
  pending(): number;
}

/** Timers of all runtimes keep their delay in 32 bits. */
const longestDelayMs = 2 ** 31 - 1;
const runAllLimit = 10_000;

/**
 * Makes a clock for tests.
 *
 * @param start what `now()` says at first, in milliseconds since the epoch. Default 0.
 * @throws {InvalidArgumentError} `start` is no finite number
 * @example
 * const clock = manualClock()
 * const agent = createAgent({ model, clock })
 * const turn = session.prompt("hi")
 * await clock.advance(120_000)       // the model's time is up, without waiting for it
 * expect(clock.pending()).toBe(0)    // and no timer is left
 */
export function manualClock(start = 0): ManualClock {
  finiteNumber(start, "manualClock.start");
  const timers = new Map<unknown, Timer>();
  let elapsed = 0;
  let offset = start;
  let created = 0;
  let queue = Promise.resolve();

  const runTimer = async (timer: Timer): Promise<void> => {
    timers.delete(timer.handle);
    elapsed = timer.due;
    timer.run();
    await settle();
  };
  const advanceNow = async (ms: number): Promise<void> => {
    checkStep(ms);
    await settle();
    const end = elapsed + ms;
    for (let timer = nextTimer(timers); timer !== undefined && timer.due <= end; timer = nextTimer(timers)) await runTimer(timer);
    elapsed = end;
  };
  const runAllNow = async (): Promise<void> => {
    await settle();
    let runs = 0;
    for (let timer = nextTimer(timers); timer !== undefined; timer = nextTimer(timers)) {
      runs += 1;
      if (runs > runAllLimit) throw new Error(`runAll: ${runAllLimit} timers have run, and each sets another. Use advance(ms).`);
      await runTimer(timer);
    }
  };
  /** One after the other, or else two calls would move the same time. */
  const enqueue = (action: () => Promise<void>): Promise<void> => {
    const done = queue.then(action);
    queue = done.catch(() => undefined);
    return done;
  };

  return {
    now: () => elapsed + offset,
    monotonic: () => elapsed,
    setTimeout(run, ms) {
      checkDelay(ms);
      created += 1;
      const handle = created;
      timers.set(handle, { handle, run, due: elapsed + Math.max(0, ms) });
      return handle;
    },
    clearTimeout(handle) {
      timers.delete(handle);
    },
    advance: (ms) => enqueue(() => advanceNow(ms)),
    runAll: () => enqueue(runAllNow),
    set(now) {
      finiteNumber(now, "set.now");
      offset = now - elapsed;
    },
    pending: () => timers.size,
  };
}

interface Timer {
  handle: unknown;
  run: () => void;
  due: number;
}

function nextTimer(timers: ReadonlyMap<unknown, Timer>): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers.values()) {
    // Timers are visited in order of creation, so that the older one wins a tie.
    if (next === undefined || timer.due < next.due) next = timer;
  }
  return next;
}

function checkStep(ms: number): void {
  if (ms >= 0 && ms < Infinity) return;
  throw new InvalidArgumentError("advance.ms", `must be a finite number from 0 on, not ${ms}. To step back, use set().`);
}

/** A real timer with such a delay fires at once, which no test that waits for it would ever show. */
function checkDelay(ms: number): void {
  if (ms <= longestDelayMs) return;
  throw new InvalidArgumentError("setTimeout.ms", `must be a number up to ${longestDelayMs}, not ${ms}: a real timer would fire at once.`);
}

/** Several times around the event loop: all promise jobs run, and those of foreign code that hops over tasks of its own. */
async function settle(): Promise<void> {
  for (let hops = 0; hops < hopsToSettle; hops += 1) await new Promise<void>(nextTask);
}

/** Twice that is enough for code that hops once, and as often again for what that has started. */
const hopsToSettle = 4;

/**
 * The next task of the event loop. Taken when the module is loaded: a test that replaces the runtime's timers must not stop
 * the clock that it drives them by.
 */
const nextTask: (run: () => void) => void = typeof setImmediate === "function" ? setImmediate : channelTask;

/** Where there is no `setImmediate`, a message channel is the one way to a new task that waits for no timer. */
function channelTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    // An open port would keep the process alive.
    port1.close();
    run();
  };
  port2.postMessage(undefined);
}
