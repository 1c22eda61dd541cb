/** `npm run bench`: builds the package, measures it, prints one table, and fails when a bar is missed. */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { allCases } from "./all-cases.ts";
import { bundleCore, bundleSDK } from "./bundle.ts";
import { judgeBundles, judgeComparison } from "./judge.ts";
import { runRounds } from "./rounds.ts";
import { buildStage, type Stage } from "./stage.ts";
import { renderTable, type Row } from "./table.ts";

interface BenchOptions {
  names: string[];
  quick: boolean;
  rounds: number;
}

function readArguments(): BenchOptions {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: "boolean", default: false }, rounds: { type: "string" } } });
  const known = [...Object.keys(allCases), "bundle"];
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no case "${unknown}". There are: ${known.join(", ")}.`);
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
  if (!(Number.isSafeInteger(rounds) && rounds > 0)) throw new Error("--rounds takes a whole number of at least 1.");
  return { names: positionals.length > 0 ? positionals : known, quick: values.quick, rounds };
}

async function measure(stage: Stage, { names, quick, rounds }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    console.error(`measuring ${name} …`);
    const benchCase = allCases[name];
    if (benchCase === undefined) {
      rows.push(...judgeBundles({ all: await bundleCore(stage, "all"), atOnce: await bundleCore(stage, "at once") }, await bundleSDK(stage)));
      continue;
    }
    const measured = await runRounds(stage, name, benchCase, { rounds, size: quick ? "quick" : "full" });
    rows.push(...benchCase.comparisons.map((comparison) => judgeComparison(comparison, measured)));
  }
  return rows;
}

const options = readArguments();
const stage = await buildStage();
try {
  const rows = await measure(stage, options);
  const judged = rows.filter(({ verdict }) => verdict !== "").length;
  const missed = rows.filter(({ verdict }) => verdict === "MISS").length;
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`;
  console.log(`\nThe built package on ${machine}. Medians of interleaved rounds: ${options.rounds}. Each run has a process of its own.\n`);
  console.log(renderTable(rows));
  console.log(`\n${judged - missed} of ${judged} bars held.${options.quick ? " A quick run does less work, too little to judge by." : ""}`);
  if (missed > 0 && !options.quick) process.exitCode = 1;
} finally {
  await stage.remove();
}
