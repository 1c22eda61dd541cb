import { reading, type BenchCase, type Size } from "../bench-case.ts";
import { heapMegabytes } from "../heap-megabytes.ts";
import { scriptModel, toolTurn } from "../models.ts";

const turnsPerSession = 20;
const sessionCounts: Record<Size, number> = { full: 50, quick: 20 };

/** The bar, as a program's figure would be: megabytes that so many turns may leave behind, and open handles. */
const mostMegabytes = 2;

/** A thousand turns in one process, whose sessions are removed when they are done: nothing of them may stay. */
export const manyTurns: BenchCase = {
  programs: {
    throughline: async (size) => {
      const { createAgent, memoryStorage } = await import("throughline");
      const { countTool } = await import("../count-tool.ts");
      const storage = memoryStorage();
      const converse = async (sessions: number): Promise<void> => {
        for (let session = 0; session < sessions; session += 1) {
          const agent = createAgent({ model: scriptModel({ steps: Array.from({ length: turnsPerSession }, () => toolTurn(1)).flat() }), storage, tools: { count: countTool() } });
          const own = await agent.session();
          for (let turn = 0; turn < turnsPerSession; turn += 1) await own.prompt("Count.");
          await own.remove();
        }
      };
      const before = await heapMegabytes(() => converse(5));
      const handlesBefore = process.getActiveResourcesInfo().length;
      const after = await heapMegabytes(() => converse(sessionCounts[size]));
      return { megabytes: after - before, handles: process.getActiveResourcesInfo().length - handlesBefore };
    },
  },
  comparisons: [
    { figure: "memory that 1,000 turns leave behind", unit: "MB", ours: reading("throughline", "megabytes"), peer: "the bar", theirs: () => mostMegabytes, atMost: 1 },
    { figure: "open handles and timers that they leave", unit: "", ours: reading("throughline", "handles"), peer: "one", theirs: () => 1, atMost: 0 },
  ],
};
