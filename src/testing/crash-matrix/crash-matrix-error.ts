import { ThroughlineError } from "../../errors.ts";
import type { CrashPoint } from "./crash-scenario.ts";

/** What was wrong after one crash. */
export interface CrashFailure {
  /** Where the processes died, one after the other; empty for the run without a crash. */
  crashes: readonly CrashPoint[];
  /** What was violated, in words. */
  problems: readonly string[];
}

const shown = 12;

/** A session did not survive; {@link CrashMatrixError.failures} says where. */
export class CrashMatrixError extends ThroughlineError {
  readonly scenario: string;
  readonly failures: readonly CrashFailure[];

  constructor(scenario: string, failures: readonly CrashFailure[], points: number) {
    const lines = failures.slice(0, shown).map(({ crashes, problems }) => `  ${describeCrashes(crashes)}:\n${problems.map((problem) => `    - ${problem}`).join("\n")}`);
    const more = failures.length > shown ? `\n  and ${failures.length - shown} more (see error.failures)` : "";
    super("crash-matrix", `The scenario "${scenario}" does not survive at ${failures.length} of ${points} points.\n${lines.join("\n")}${more}`);
    this.scenario = scenario;
    this.failures = failures;
  }
}

function describeCrashes(crashes: readonly CrashPoint[]): string {
  if (crashes.length === 0) return "without a crash";
  return crashes.map(({ point, commit }, index) => `process ${index + 1} killed ${point === "before" ? "just before" : "right after"} its commit ${commit}`).join(", ");
}
