import fc from "fast-check";
import { watchListeners } from "./engine-listeners.ts";
import { problemsOf } from "./problems.ts";
import { scenarios } from "./scenario.ts";

/** Runs scenarios that are drawn from a seed. Returns what is wrong with the smallest that fails, and how to make it again. */
export async function checkScenarios({ seed, numRuns }: { seed: number; numRuns: number }): Promise<string | undefined> {
  const listeners = watchListeners();
  const property = fc.asyncProperty(scenarios, async (scenario) => {
    const problems = await problemsOf(scenario, listeners);
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
  try {
    const result = await fc.check(property, { seed, numRuns });
    if (!result.failed) return undefined;
    const { message } = result.errorInstance as Error; // Thrown above, or by the engine.
    return `${message}\n${fc.defaultReportMessage(result) ?? ""}`;
  } finally {
    listeners.restore();
  }
}
