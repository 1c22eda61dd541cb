import { reading, type BenchCase, type Size } from "../bench-case.ts";
import { heapMegabytes } from "../heap-megabytes.ts";
import { scriptModel, textStep } from "../models.ts";
import { openSQLite, withStore } from "../stores.ts";

const sessionCounts: Record<Size, number> = { full: 500, quick: 50 };
const turns = 10;

/** The bar, as a program's figure would be: megabytes that so many idle sessions may take. */
const mostMegabytes = 5;

/** What open sessions keep in memory while nothing runs: what can be read again need not be kept. */
export const idleSessions: BenchCase = {
  programs: {
    throughline: async (size) => {
      const { createAgent } = await import("throughline");
      return withStore(openSQLite, async (storage) => {
        const model = scriptModel({ steps: Array.from({ length: turns }, () => textStep(50)) });
        const agent = createAgent({ model, storage });
        const before = await heapMegabytes(async () => (await agent.session()).prompt("Hello."));
        const sessions = await Promise.all(
          Array.from({ length: sessionCounts[size] }, async () => {
            const session = await agent.session();
            for (let turn = 0; turn < turns; turn += 1) await session.prompt("Go on.");
            return session;
          }),
        );
        const after = await heapMegabytes(async () => undefined);
        if (sessions.some(({ status }) => status.type !== "idle")) throw new Error("A session is not idle.");
        return { megabytes: after - before };
      });
    },
  },
  comparisons: [{ figure: "memory of 500 idle sessions of 10 turns", unit: "MB", ours: reading("throughline", "megabytes"), peer: "the bar", theirs: () => mostMegabytes, atMost: 1 }],
};
