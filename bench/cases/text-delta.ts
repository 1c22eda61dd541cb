import type { LanguageModelV4 } from "@ai-sdk/provider";
import { reading, type BenchCase, type Figures, type Program, type Size } from "../bench-case.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { expectEqual } from "../expect-equal.ts";
import { scriptModel, textStep } from "../models.ts";
import { openMemory, openSQLite, withStore, type OpenStore } from "../stores.ts";

const deltaCounts: Record<Size, number> = { full: 200_000, quick: 20_000 };

/** Measures a reader of one long answer, which returns how many deltas it saw. A short answer comes first, unmeasured. */
async function measure(size: Size, read: (model: LanguageModelV4) => Promise<number>): Promise<Figures> {
  const deltas = deltaCounts[size];
  const model = scriptModel({ steps: [textStep(deltas)] });
  await read(scriptModel({ steps: [textStep(1)] }));
  const cpuMs = await cpuMsOf(async () => {
    expectEqual("deltas", await read(model), deltas);
  });
  return { microseconds: (cpuMs * 1000) / deltas };
}

function throughlineOn(open: OpenStore): Program {
  return async (size) => {
    const { createAgent } = await import("throughline");
    return withStore(open, (storage) =>
      measure(size, async (model) => {
        const session = await createAgent({ model, storage }).session();
        let deltas = 0;
        session.on("*", (event) => {
          if (event.type === "part.delta") deltas += 1;
        });
        await session.prompt("Talk.");
        return deltas;
      }),
    );
  };
}

/** One long answer. The floor is what reading a stream costs when nothing is done with it. */
export const textDelta: BenchCase = {
  programs: {
    doStream: (size) =>
      measure(size, async (model) => {
        const { stream } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "Talk." }] }] });
        const reader = stream.getReader();
        let deltas = 0;
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return deltas;
          if (value.type === "text-delta") deltas += 1;
        }
      }),

    streamText: async (size) => {
      const { streamText } = await import("ai");
      return measure(size, async (model) => {
        let deltas = 0;
        for await (const delta of streamText({ model, prompt: "Talk." }).textStream) if (delta !== "") deltas += 1;
        return deltas;
      });
    },

    throughline: throughlineOn(openMemory),
    sqlite: throughlineOn(openSQLite),
  },
  comparisons: [
    { figure: "CPU per text delta, of 200,000", unit: "µs", ours: reading("throughline", "microseconds"), peer: "doStream loop", theirs: reading("doStream", "microseconds"), atMost: 2 },
    { figure: "CPU per text delta, of 200,000", unit: "µs", ours: reading("throughline", "microseconds"), peer: "streamText", theirs: reading("streamText", "microseconds"), atMost: 0.15 },
    { figure: "the same on SQLite", unit: "µs", ours: reading("sqlite", "microseconds"), peer: "doStream loop", theirs: reading("doStream", "microseconds"), atMost: 2.2 },
  ],
};
