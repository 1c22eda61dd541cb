import { maxCompactionsInARow } from "../../src/session/defaults.ts";
import type { Scenario } from "./scenario.ts";

/**
 * The most calls that a turn may make, whatever its models do, by the limits alone:
 *
 * - each step ends well, or ends the turn, or makes room for another try: so many summaries may stand before each step;
 * - what is tried is made in so many attempts, and once more so for each model that takes the place of another;
 * - a summary is made in so many attempts.
 */
export function callsPerTurn({ models, maxAttempts }: Scenario, maxSteps: number): number {
  const summaries = maxSteps * maxCompactionsInARow;
  const steps = maxSteps + summaries;
  return maxAttempts * (steps + models.length - 1 + summaries);
}

/** The most calls that a compaction may make that somebody asks for: all of the history, then less of it. */
export function callsPerCompaction({ maxAttempts }: Scenario): number {
  return 2 * maxAttempts;
}
