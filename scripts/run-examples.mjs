/** Runs every numbered example, the bot and the demo, as a reader would. Each asserts for itself; the tests among them run with the tests. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const isExample = (name) => /^(\d\d-.*|bot|demo)\.ts$/.test(name) && !name.endsWith(".test.ts");
const examples = readdirSync("examples").filter(isExample).sort();
let failed = 0;

for (const example of examples) {
  const { status, stdout, stderr } = spawnSync("npx", ["tsx", `examples/${example}`], { encoding: "utf8", timeout: 60_000 });
  console.log(`${status === 0 ? "passed" : "FAILED"}  examples/${example}`);
  if (status === 0) continue;
  failed += 1;
  console.log(stdout, stderr);
}

console.log(`Examples: ${examples.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || examples.length === 0 ? 1 : 0;
