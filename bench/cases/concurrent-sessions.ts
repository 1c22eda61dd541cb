import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { reading, type BenchCase, type Figures, type Program, type Size } from "../bench-case.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { expectEqual } from "../expect-equal.ts";
import { scriptModel, toolTurn } from "../models.ts";
import { openMemory, openSQLite, withStore, type OpenStore } from "../stores.ts";

const sessionCounts: Record<Size, number> = { full: 200, quick: 50 };
const steps = 5;
const deltasPerStep = 200;

/** Runs one session, and returns how many deltas it saw. */
type RunSession = () => Promise<number>;

/** Measures many sessions at once. One comes first, unmeasured. */
async function measure(size: Size, prepare: (model: LanguageModelV4) => RunSession): Promise<Figures> {
  const runSession = prepare(scriptModel({ steps: toolTurn(steps - 1, deltasPerStep), paced: true }));
  await runSession();
  // A sample is the time between two ticks of a timer: it cannot fall below the resolution, so that must be small.
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuMs = await cpuMsOf(async () => {
    const deltas = await Promise.all(Array.from({ length: sessionCounts[size] }, runSession));
    for (const count of deltas) expectEqual("deltas", count, steps * deltasPerStep);
  });
  delay.disable();
  return { seconds: cpuMs / 1000, delayMs: delay.percentile(99) / 1e6 };
}

function throughlineOn(open: OpenStore): Program {
  return async (size) => {
    const { createAgent } = await import("throughline");
    const { countTool } = await import("../count-tool.ts");
    return withStore(open, (storage) =>
      measure(size, (model) => {
        const agent = createAgent({ model, storage, tools: { count: countTool() } });
        return async () => {
          const session = await agent.session();
          let deltas = 0;
          session.on("*", (event) => {
            if (event.type === "part.delta") deltas += 1;
          });
          await session.prompt("Count.");
          return deltas;
        };
      }),
    );
  };
}

/** Many sessions in one process, all streaming at the same time. */
export const concurrentSessions: BenchCase = {
  programs: {
    streamText: async (size) => {
      const { isStepCount, streamText } = await import("ai");
      const { countTool } = await import("../count-tool.ts");
      return measure(size, (model) => async () => {
        let deltas = 0;
        const { textStream } = streamText({ model, prompt: "Count.", tools: { count: countTool() }, stopWhen: isStepCount(steps) });
        for await (const delta of textStream) if (delta !== "") deltas += 1;
        return deltas;
      });
    },

    throughline: throughlineOn(openMemory),
    sqlite: throughlineOn(openSQLite),
  },
  comparisons: [
    { figure: "200 sessions at once: CPU", unit: "s", ours: reading("throughline", "seconds"), peer: "streamText", theirs: reading("streamText", "seconds"), atMost: 0.1 },
    { figure: "200 sessions at once: p99 loop delay", unit: "ms", ours: reading("throughline", "delayMs"), peer: "streamText", theirs: reading("streamText", "delayMs"), atMost: 0.2 },
    { figure: "the same on SQLite: CPU", unit: "s", ours: reading("sqlite", "seconds"), peer: "streamText, storing nothing", theirs: reading("streamText", "seconds"), atMost: 0.12 },
    { figure: "the same on SQLite: p99 loop delay", unit: "ms", ours: reading("sqlite", "delayMs"), peer: "streamText", theirs: reading("streamText", "delayMs"), atMost: 0.2 },
  ],
};
