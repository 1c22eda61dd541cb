import { describe, expect, it } from "vitest";
import { crashMatrix } from "throughline/testing";
import { crashScenarios } from "./crash-scenarios.ts";
import { crashStores } from "./crash-stores.ts";

/** A scenario runs dozens of times, on machines that do other things too. */
const timeoutMs = 60_000;

describe.each(Object.entries(crashStores))("crashes on %s", { timeout: timeoutMs }, (store, storage) => {
  it.each(crashScenarios)("are survived everywhere: $name", async (scenario) => {
    const { points, commits } = await crashMatrix({ ...scenario, storage });
    process.stdout.write(`${store}: ${scenario.name}: ${commits} commits, ${points} points\n`);
    expect(points).toBe(2 * commits);
  });
});
