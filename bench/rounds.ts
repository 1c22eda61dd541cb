import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { BenchCase, Figures, Round, Size } from "./bench-case.ts";
import type { Stage } from "./stage.ts";

const run = promisify(execFile);

/**
 * Runs all programs of a case again and again, each run in a new process. Interleaved (A B C A B C …): what else the machine
 * does then falls on all of them alike.
 */
export async function runRounds(stage: Stage, name: string, { programs }: BenchCase, options: { rounds: number; size: Size }): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let count = 0; count < options.rounds; count += 1) {
    const round: Round = {};
    for (const program of Object.keys(programs)) round[program] = await runProgram(stage, [name, program, options.size]);
    rounds.push(round);
  }
  return rounds;
}

async function runProgram({ directory }: Stage, programArguments: readonly string[]): Promise<Figures> {
  const { stdout } = await run(process.execPath, ["bench/child.js", ...programArguments], { cwd: directory });
  // The bench's own child printed it.
  return JSON.parse(stdout) as Figures;
}
