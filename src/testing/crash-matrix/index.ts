import { CrashMatrixError, type CrashFailure } from "./crash-matrix-error.ts";
import type { CrashPoint, CrashScenario } from "./crash-scenario.ts";
import { survive, type Life } from "./survive.ts";

export interface CrashMatrixOptions {
  /**
   * How many processes die in a row. 1 (default): one crash at each commit. 2: after each of these, the recovery is killed
   * at each of its own commits as well, and so on.
   */
  crashes?: number | undefined;
  /**
   * Real milliseconds without any activity, and without a timer that could bring some, after which a process counts as
   * waiting for what never comes. Default 20,000: code may have to be loaded.
   */
  giveUpMs?: number | undefined;
}

/** What a matrix has tried. */
export interface CrashReport {
  scenario: string;
  /** Commits of the run without a crash. */
  commits: number;
  /** Crashes that were survived, each a life of its own. */
  points: number;
}

/** Real time for what is loaded in the first run, and for tools that read a file in the others. */
const firstPatienceMs = 100;
const patienceMs = 5;

/**
 * Kills an agent's process everywhere: runs the scenario once, then again for each of its commits with the process thrown
 * away right after it, and just before it; opens what the store holds with a new agent, resumes, and checks that
 *
 * - no model was sent a request that a provider would refuse, nor would the next one be,
 * - each call has exactly one result, written once,
 * - no tool ran twice for one call, unless it is `idempotent`, and none ran for a call that the history does not know,
 * - each accepted prompt has exactly one outcome, and nothing is queued, held or left running,
 * - the scenario's `result` is that of the uninterrupted run, and its `check` passes.
 *
 * Time is a manual clock, so the same scenario dies in the same places each time.
 *
 * @throws {CrashMatrixError} naming each point at which something was violated
 * @example
 * const report = await crashMatrix({
 *   name: "a report with a tool",
 *   storage: async ({ clock }) => {
 *     const storage = memoryStorage({ clock })
 *     return { storage, reopen: async () => storage }
 *   },
 *   agent: () => ({
 *     model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === "tool" ? reply.text("Sent.") : reply.toolCall("send", {}))),
 *     tools: { send },
 *   }),
 *   run: (session) => session.prompt("Send the report.", { id: "msg_1" }),
 * })
 * console.log(report.points)
 */
export async function crashMatrix(scenario: CrashScenario, options: CrashMatrixOptions = {}): Promise<CrashReport> {
  const giveUpMs = options.giveUpMs ?? 20_000;
  const whole = await survive(scenario, [], { patienceMs: firstPatienceMs, giveUpMs });
  if (whole.problems.length > 0) throw new CrashMatrixError(scenario.name, [{ crashes: [], problems: whole.problems }], 1);
  const failures: CrashFailure[] = [];
  let points = 0;

  /** Kills the last process of a life at each of its commits. */
  async function killEverywhere(life: Life, crashes: readonly CrashPoint[], depth: number): Promise<void> {
    for (let commit = 1; commit <= life.commits; commit += 1) {
      for (const point of ["before", "after"] as const) {
        const path = [...crashes, { point, commit }];
        const next = await survive(scenario, path, { patienceMs, giveUpMs });
        points += 1;
        const problems = [...next.problems, ...resultProblems(next, whole)];
        if (problems.length > 0) failures.push({ crashes: path, problems });
        else if (depth > 1) await killEverywhere(next, path, depth - 1);
      }
    }
  }
  await killEverywhere(whole, [], options.crashes ?? 1);
  if (failures.length > 0) throw new CrashMatrixError(scenario.name, failures, points);
  return { scenario: scenario.name, commits: whole.commits, points };
}

/** A result that differs, where all prompts were accepted that the uninterrupted run had. */
function resultProblems(life: Life, whole: Life): string[] {
  const isComplete = [...whole.accepted].every((id) => life.accepted.has(id));
  if (!isComplete || life.problems.length > 0 || life.result === whole.result) return [];
  return [`the result differs\n        without a crash: ${whole.result}\n        after it:        ${life.result}`];
}
