/**
 * `npm run test:fuzz -- --runs 200000`: any model, any tools, any options, and an abort at any moment; every session must end,
 * within its limits and in order. It says the seed of a run that fails; with `--seed` (and its `--runs`) it is made again.
 */
import { parseArgs } from "node:util";
import { checkScenarios } from "./check-scenarios.ts";

/** Each has a seed of its own, so that a failure is repeated without all that came before it. */
const runsPerSeed = 1000;

const { values } = parseArgs({ options: { runs: { type: "string", default: "20000" }, seed: { type: "string", default: String(Date.now() % 1_000_000_000) } } });
const runs = Number(values.runs);
const cpuBefore = process.cpuUsage();
let failure: string | undefined;
let done = 0;
for (let seed = Number(values.seed); done < runs && failure === undefined; seed += 1) {
  const numRuns = Math.min(runsPerSeed, runs - done);
  failure = await checkScenarios({ seed, numRuns });
  if (failure !== undefined) console.error(`${failure}\n\nAgain: npm run test:fuzz -- --seed ${seed} --runs ${numRuns}`);
  done += numRuns;
}
const { user, system } = process.cpuUsage(cpuBefore);
console.log(`${done} runs from seed ${values.seed} on, ${((user + system) / 1e6).toFixed(1)} s of CPU: ${failure === undefined ? "all ended as they should" : "one did not"}.`);
process.exitCode = failure === undefined ? 0 : 1;
