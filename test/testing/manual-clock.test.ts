import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../src/testing/manual-clock.ts";

describe("manualClock", () => {
  it("starts where it is told and stands still", () => {
    expect(manualClock().now()).toBe(0);
    const clock = manualClock(1_000);
    expect([clock.now(), clock.now(), clock.monotonic()]).toEqual([1_000, 1_000, 0]);
  });

  it("runs due timers at their own time, in order, the older one first at a tie", async () => {
    const clock = manualClock(100);
    const seen: string[] = [];
    const note = (name: string) => () => seen.push(`${name}@${clock.now()}`);
    clock.setTimeout(note("late"), 30);
    clock.setTimeout(note("first tie"), 10);
    clock.setTimeout(note("second tie"), 10);
    clock.setTimeout(note("too late"), 31);
    await clock.advance(30);
    expect(seen).toEqual(["first tie@110", "second tie@110", "late@130"]);
    expect(clock.now()).toBe(130);
    expect(clock.pending()).toBe(1);
  });

  it("moves to the end when no timer is due", async () => {
    const clock = manualClock();
    await clock.advance(7);
    await clock.advance(0);
    expect([clock.now(), clock.monotonic()]).toEqual([7, 7]);
  });

  it("runs timers that are set on the way, also by promise jobs", async () => {
    const clock = manualClock();
    const seen: number[] = [];
    const sleep = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        clock.setTimeout(resolve, ms);
      });
    const job = (async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        await sleep(10);
        await Promise.resolve();
        seen.push(clock.now());
      }
    })();
    await clock.advance(25);
    expect(seen).toEqual([10, 20]);
    await clock.advance(5);
    await job;
    expect(seen).toEqual([10, 20, 30]);
    expect(clock.pending()).toBe(0);
  });

  it("lets code that was just started set its timers first", async () => {
    const clock = manualClock();
    let ran = false;
    void Promise.resolve()
      .then(() => undefined)
      .then(() => clock.setTimeout(() => (ran = true), 5));
    await clock.advance(5);
    expect(ran).toBe(true);
  });

  it("settles what a timer starts before it returns", async () => {
    const clock = manualClock();
    let settled = false;
    clock.setTimeout(() => {
      const stream = new ReadableStream<string>({
        pull(controller) {
          controller.enqueue("x");
          controller.close();
        },
      });
      void new Response(stream.pipeThrough(new TextEncoderStream())).text().then(() => (settled = true));
    }, 1);
    await clock.advance(1);
    expect(settled).toBe(true);
  });

  it("forgets a cleared timer, and takes any handle", async () => {
    const clock = manualClock();
    let runs = 0;
    const handle = clock.setTimeout(() => (runs += 1), 1);
    clock.clearTimeout(handle);
    clock.clearTimeout(handle);
    clock.clearTimeout(undefined);
    await clock.advance(10);
    expect([runs, clock.pending()]).toEqual([0, 0]);
  });

  it("can clear a timer from another one of the same time", async () => {
    const clock = manualClock();
    let runs = 0;
    clock.setTimeout(() => clock.clearTimeout(second), 1);
    const second = clock.setTimeout(() => (runs += 1), 1);
    await clock.advance(1);
    expect(runs).toBe(0);
  });

  it("queues calls that overlap", async () => {
    const clock = manualClock();
    await Promise.all([clock.advance(10), clock.advance(5)]);
    expect(clock.now()).toBe(15);
  });

  it("rejects with what a timer throws, and goes on afterwards", async () => {
    const clock = manualClock();
    clock.setTimeout(() => {
      throw new Error("broken timer");
    }, 3);
    await expect(clock.advance(10)).rejects.toThrow("broken timer");
    expect(clock.now()).toBe(3);
    await clock.advance(1);
    expect(clock.now()).toBe(4);
  });

  it("runs all timers, however far away", async () => {
    const clock = manualClock();
    const seen: number[] = [];
    clock.setTimeout(() => clock.setTimeout(() => seen.push(clock.now()), 1_000_000), 5);
    await clock.runAll();
    expect(seen).toEqual([1_000_005]);
  });

  it("names the endless chain of timers instead of hanging", async () => {
    const clock = manualClock();
    const again = (): void => {
      clock.setTimeout(again, 1);
    };
    again();
    await expect(clock.runAll()).rejects.toThrow(/runAll: 10000 timers/);
  });

  it("jumps with the wall clock only", async () => {
    const clock = manualClock(5_000);
    let firedAt: number | undefined;
    clock.setTimeout(() => (firedAt = clock.now()), 10);
    await clock.advance(4);
    clock.set(1_000);
    expect([clock.now(), clock.monotonic(), clock.pending()]).toEqual([1_000, 4, 1]);
    await clock.advance(6);
    expect(firedAt).toBe(1_006);
    expect(clock.monotonic()).toBe(10);
  });

  it("refuses to go back by advance, and delays that real timers do not keep", async () => {
    const clock = manualClock();
    for (const ms of [-1, Infinity, Number.NaN]) await expect(clock.advance(ms)).rejects.toThrow(/advance.ms/);
    for (const ms of [Infinity, Number.NaN, 2 ** 31]) expect(() => clock.setTimeout(() => undefined, ms)).toThrow(/setTimeout.ms/);
  });

  it("runs any set of timers once each, by due time and then by age, whatever the steps", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -5, max: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 4 }),
        async (delays, steps) => {
          const clock = manualClock();
          const seen: number[] = [];
          delays.forEach((delay, index) => clock.setTimeout(() => seen.push(index), delay));
          for (const step of steps) await clock.advance(step);
          await clock.advance(40);
          const dueTimes = delays.map((delay, index) => ({ index, due: Math.max(0, delay) }));
          const expected = dueTimes.sort((a, b) => a.due - b.due || a.index - b.index).map(({ index }) => index);
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });
});
