/**
 * `npm run test:chaos`: kills real processes at random moments while they stream, run tools and commit, opens what they
 * leave behind, and goes on. At the end nothing that was accepted may be lost, and nothing may have been done twice.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildStage } from "../../bench/stage.ts";
import { seededRandom } from "../seeded-random.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "210" }, seed: { type: "string", default: String(Date.now() % 100_000) } } });
const kills = Number(values.kills);
const stores = ["file", "sqlite"] as const;
/** Sessions side by side, each with a store of its own. */
const lanesPerStore = 2;
const longestLifeMs = 1500;

interface Life {
  lines: Record<string, unknown>[];
  killed: boolean;
  stderr: string;
}

/** Runs a child until it ends, or for so long after it is ready. */
function live(child: string, args: readonly string[], lifeMs: number | undefined): Promise<Life> {
  return new Promise((resolve) => {
    const process_ = spawn(process.execPath, [child, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let stderr = "";
    let timer: NodeJS.Timeout | undefined;
    process_.stdout.on("data", (data: Buffer) => {
      output += data.toString();
      if (lifeMs !== undefined && output.includes('"ready"')) timer ??= setTimeout(() => process_.kill("SIGKILL"), lifeMs);
    });
    process_.stderr.on("data", (data: Buffer) => {
      stderr += data.toString();
    });
    process_.on("close", (_code, signal) => {
      clearTimeout(timer);
      const whole = output.slice(0, output.lastIndexOf("\n") + 1);
      const lines = whole.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>);
      resolve({ lines, killed: signal === "SIGKILL", stderr });
    });
  });
}

interface Lane {
  store: (typeof stores)[number];
  folder: string;
  kills: number;
  accepted: Set<string>;
  problems: string[];
}

async function runLane(child: string, store: Lane["store"], rounds: number, next: () => number): Promise<Lane> {
  const lane: Lane = { store, folder: mkdtempSync(join(tmpdir(), `throughline-chaos-${store}-`)), kills: 0, accepted: new Set(), problems: [] };
  for (let round = 0; lane.kills < rounds && round < rounds * 2; round += 1) {
    note(lane, await live(child, [store, lane.folder, String(round), "prompt"], Math.floor(next() ** 2 * longestLifeMs)));
  }
  const last = await live(child, [store, lane.folder, "last", "finish"], undefined);
  note(lane, last);
  judge(lane, last);
  return lane;
}

function note(lane: Lane, { lines, killed, stderr }: Life): void {
  if (killed) lane.kills += 1;
  else if (!lines.some((line) => "violations" in line)) lane.problems.push(`a child ended by itself: ${stderr.trim().slice(-2000)}`);
  for (const line of lines) {
    if (typeof line["accepted"] === "string") lane.accepted.add(line["accepted"]);
    if (typeof line["problem"] === "string") lane.problems.push(line["problem"]);
    if (Array.isArray(line["violations"])) lane.problems.push(...(line["violations"] as string[]));
  }
}

interface Stored {
  prompts: { id: string; outcome?: string }[];
  calls: { tool: string; key: string; status: string }[];
  queued: number;
}

/** Holds what is stored, and what was done, against what was promised. */
function judge(lane: Lane, { lines }: Life): void {
  // The child's own last line.
  const stored = lines.find((line) => "prompts" in line) as Stored | undefined;
  if (stored === undefined) {
    lane.problems.push("the store could not be read at the end");
    return;
  }
  const outcomes = new Map(stored.prompts.map(({ id, outcome }) => [id, outcome]));
  for (const id of lane.accepted) if (outcomes.get(id) === undefined) lane.problems.push(`${id} was accepted and has no outcome`);
  if (stored.queued > 0) lane.problems.push(`${stored.queued} prompts are still queued`);
  const executions = new Map<string, number>();
  for (const line of readFileSync(join(lane.folder, "witness.txt"), "utf8").split("\n").filter(Boolean)) executions.set(line, (executions.get(line) ?? 0) + 1);
  for (const [line, count] of executions) if (line.startsWith("write_once ") && count > 1) lane.problems.push(`${line} ran ${count} times`);
  for (const { tool, key, status } of stored.calls) {
    if (status !== "completed" && status !== "error") lane.problems.push(`${key} of ${tool} is ${status} at the end`);
    if (status === "completed" && !executions.has(`${tool} ${key}`)) lane.problems.push(`${key} of ${tool} has a result and never ran`);
  }
}

const started = Date.now();
const stage = await buildStage({ child: "test/chaos/child.ts" });
console.log(`chaos: ${kills} kills, seed ${values.seed}`);
try {
  const next = seededRandom(Number(values.seed));
  const perLane = Math.ceil(kills / (stores.length * lanesPerStore));
  const lanes = await Promise.all(stores.flatMap((store) => Array.from({ length: lanesPerStore }, () => runLane(join(stage.directory, "bench/child.js"), store, perLane, next))));
  for (const { store, folder, kills: killed, accepted, problems } of lanes) {
    console.log(`${problems.length === 0 ? "passed" : "FAILED"}  ${store}: ${killed} kills, ${accepted.size} prompts accepted`);
    for (const problem of problems.slice(0, 20)) console.log(`        ${problem}`);
    if (problems.length === 0) rmSync(folder, { recursive: true });
    else console.log(`        its files are in ${folder}`);
  }
  const total = lanes.reduce((sum, lane) => sum + lane.kills, 0);
  console.log(`chaos: ${total} kills in ${Math.round((Date.now() - started) / 1000)} s`);
  if (total < kills || lanes.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
} finally {
  await stage.remove();
}
