import { describe, expect, it } from "vitest";
import { LoopPace } from "../../src/util/loop-pace.ts";

const loopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("LoopPace", () => {
  it("lets so many pass at once, and the rest in the turns that follow, in order", async () => {
    const pace = new LoopPace(2);
    const passed: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const waiting = pace.enter();
      if (waiting === undefined) passed.push(index);
      else void waiting.then(() => passed.push(index));
    }
    expect(passed).toEqual([0, 1]);
    await loopTurn();
    expect(passed).toEqual([0, 1, 2, 3]);
    await loopTurn();
    expect(passed).toEqual([0, 1, 2, 3, 4]);
  });

  it("lets nobody pass those that wait", async () => {
    const pace = new LoopPace(1);
    expect(pace.enter()).toBeUndefined();
    const passed: string[] = [];
    const first = pace.enter()?.then(() => passed.push("first"));
    await loopTurn();
    const second = pace.enter()?.then(() => passed.push("second"));
    await Promise.all([first, second]);
    expect(passed).toEqual(["first", "second"]);
  });

  it("lets pass again after a turn in which nobody came", async () => {
    const pace = new LoopPace(1);
    void pace.enter();
    await loopTurn();
    await loopTurn();
    expect(pace.enter()).toBeUndefined();
  });
});
