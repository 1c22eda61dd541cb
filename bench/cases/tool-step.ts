import type { LanguageModelV4 } from "@ai-sdk/provider";
import { reading, type BenchCase, type Figures, type Program, type Size } from "../bench-case.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { expectEqual } from "../expect-equal.ts";
import { median } from "../median.ts";
import { scriptModel, toolTurn } from "../models.ts";
import { openMemory, openSQLite, withStore, type OpenStore } from "../stores.ts";

const stepCounts: Record<Size, number> = { full: 100, quick: 20 };

/** Turns before the measured one. A host runs for longer than a hundred steps; what a compiler does in the first of them is shown apart. */
const warmUpTurns: Record<Size, number> = { full: 60, quick: 3 };

/** One of them is over in some ten milliseconds: the median of several is quoted. */
const measuredTurns = 9;

/**
 * Measures a turn of so many steps with a call, and one that answers: the first one of the process, and one after many. A
 * turn with one call comes before everything, unmeasured, so that loading does not count.
 */
async function measure(size: Size, run: (model: LanguageModelV4) => Promise<number>): Promise<Figures> {
  const steps = stepCounts[size];
  const model = scriptModel({ steps: toolTurn(steps) });
  const turn = async (): Promise<number> => {
    const cpuMs = await cpuMsOf(async () => {
      expectEqual("steps", await run(model), steps + 1);
    });
    // A model that never waits never lets the event loop turn, and what is put off until then keeps its turn in memory.
    await new Promise<void>((resolve) => setImmediate(resolve));
    return cpuMs;
  };
  await run(scriptModel({ steps: toolTurn(1) }));
  const cold = await turn();
  for (let index = 0; index < warmUpTurns[size]; index += 1) await turn();
  const warm: number[] = [];
  for (let index = 0; index < measuredTurns; index += 1) warm.push(await turn());
  return { cold: cold / steps, warm: median(warm) / steps };
}

function throughlineOn(open: OpenStore): Program {
  return async (size) => {
    const { createAgent } = await import("throughline");
    const { countTool } = await import("../count-tool.ts");
    const count = countTool();
    return withStore(open, (storage) =>
      measure(size, async (model) => {
        const session = await createAgent({ model, storage, tools: { count }, maxSteps: stepCounts.full + 2 }).session();
        let steps = 0;
        session.on("*", (event) => {
          if (event.type === "step.finished") steps += 1;
        });
        await session.prompt("Count.");
        return steps;
      }),
    );
  };
}

/** One turn of many short steps, each with one tool call. */
export const toolStep: BenchCase = {
  programs: {
    streamText: async (size) => {
      const { isStepCount, streamText } = await import("ai");
      const { countTool } = await import("../count-tool.ts");
      const count = countTool();
      return measure(size, async (model) => {
        const result = streamText({ model, prompt: "Count.", tools: { count }, stopWhen: isStepCount(stepCounts.full + 1) });
        await result.consumeStream();
        return (await result.steps).length;
      });
    },

    throughline: throughlineOn(openMemory),
    sqlite: throughlineOn(openSQLite),
  },
  comparisons: [
    { figure: "CPU per step with a tool call, of 100", unit: "ms", ours: reading("throughline", "warm"), peer: "streamText", theirs: reading("streamText", "warm"), atMost: 0.12 },
    { figure: "the same, the first 100 of the process", unit: "ms", ours: reading("throughline", "cold"), peer: "streamText", theirs: reading("streamText", "cold") },
    { figure: "CPU per step on SQLite, stored before the call runs", unit: "ms", ours: reading("sqlite", "warm"), peer: "streamText, storing nothing", theirs: reading("streamText", "warm"), atMost: 0.25 },
    { figure: "the same, the first 100 of the process", unit: "ms", ours: reading("sqlite", "cold"), peer: "streamText", theirs: reading("streamText", "cold") },
  ],
};
