import { reading, type BenchCase, type Program, type Size } from "../bench-case.ts";
import { cpuTimeMs } from "../cpu-time.ts";
import { expectEqual } from "../expect-equal.ts";
import { scriptModel, toolTurn } from "../models.ts";
import { openMemory, openSQLite, withStore, type OpenStore } from "../stores.ts";

const warmUpSteps: Record<Size, number> = { full: 500, quick: 200 };
const measuredSteps = 1000;

/** Ends of the measured stretches. Sampling at every step would cost as much as the step, and hide what is looked for. */
const sampledSteps = [100, 200, 900, 1000];

function throughlineOn(open: OpenStore): Program {
  return async (size) => {
    const { createAgent } = await import("throughline");
    const { countTool } = await import("../count-tool.ts");
    return withStore(open, async (storage) => {
      /** Runs a turn. Returns the CPU time at the tool call of each of the sampled steps. */
      const run = async (steps: number): Promise<number[]> => {
        const samples: number[] = [];
        let step = 0;
        const count = countTool(() => {
          step += 1;
          if (sampledSteps.includes(step)) samples.push(cpuTimeMs());
        });
        const agent = createAgent({ model: scriptModel({ steps: toolTurn(steps) }), storage, tools: { count }, maxSteps: steps + 2 });
        const session = await agent.session();
        session.on("*", () => undefined);
        await session.prompt("Count.");
        expectEqual("steps", step, steps);
        return samples;
      };
      await run(warmUpSteps[size]);
      const [at100 = NaN, at200 = NaN, at900 = NaN, at1000 = NaN] = await run(measuredSteps);
      return { early: (at200 - at100) / 100, late: (at1000 - at900) / 100 };
    });
  };
}

/** One very long turn: what a step costs must not depend on how many there were before it. */
export const flatSteps: BenchCase = {
  programs: { throughline: throughlineOn(openMemory), sqlite: throughlineOn(openSQLite) },
  comparisons: [
    { figure: "CPU per step, steps 900–1,000", unit: "ms", ours: reading("throughline", "late"), peer: "steps 100–200", theirs: reading("throughline", "early"), atMost: 1.3 },
    { figure: "the same on SQLite", unit: "ms", ours: reading("sqlite", "late"), peer: "steps 100–200", theirs: reading("sqlite", "early"), atMost: 1.3 },
  ],
};
