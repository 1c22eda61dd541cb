import { reading, type BenchCase } from "../bench-case.ts";
import { cpuTimeMs } from "../cpu-time.ts";
import { scriptModel, textStep } from "../models.ts";

/** What a process pays before its first prompt. All figures are CPU time since the process started. */
export const coldImport: BenchCase = {
  programs: {
    empty: async () => ({ milliseconds: cpuTimeMs() }),

    ai: async () => {
      await import("ai");
      return { milliseconds: cpuTimeMs() };
    },

    throughline: async () => {
      const { createAgent } = await import("throughline");
      createAgent({ model: scriptModel({ steps: [textStep(1)] }) });
      return { milliseconds: cpuTimeMs() };
    },
  },
  comparisons: [{ figure: "CPU of import and createAgent, net", unit: "ms", ours: reading("throughline", "milliseconds", "empty"), peer: "import of ai", theirs: reading("ai", "milliseconds", "empty"), atMost: 0.2 }],
};
