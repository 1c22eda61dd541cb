import { defineTool, type AnyTool, type Clock, type ToolContext } from "throughline";
import type { toolNames } from "./any-model.ts";
import { anySchema, type Input } from "./any-schema.ts";
import { onAbort } from "./engine-listeners.ts";
import type { Wish } from "./scenario.ts";

const never = (): Promise<string> => new Promise(() => undefined);
const huge = "x".repeat(200_000);

/** Tools that do what tools do: those of them that are wanted. Most runs need few, and each has to be compiled. */
export function anyTools(clock: Clock, isWanted: (name: string) => boolean): Record<string, AnyTool> {
  const tool = (execute: (input: Input, context: ToolContext) => unknown, { wish = "object", ...options }: { defaultAction?: "ask"; readOnly?: boolean; wish?: Wish } = {}): AnyTool => defineTool({ description: "Does something.", input: anySchema(wish, clock), execute, ...options });
  const later = (ms: number): Promise<string> => new Promise((resolve) => void clock.setTimeout(() => { resolve("late"); }, ms));
  const all: Record<(typeof toolNames)[number], () => AnyTool> = {
    echo: () => tool(({ text = "" }) => text, { readOnly: true }),
    fails: () => tool(({ text }) => {
      if (text === "a") throw new Error("It fails.");
      return Promise.reject(text === "b" ? new DOMException("Not yours.", "AbortError") : (undefined as unknown as Error));
    }),
    hangs: () => tool(never),
    heeds: () => tool((_input, { abortSignal }) => new Promise((_resolve, reject) => { onAbort(abortSignal, reject); })),
    slow: () => tool(() => later(20)),
    huge: () => tool(() => huge),
    odd: () => tool(({ text }) => {
      const cycle: { self?: unknown; big?: bigint } = {};
      cycle.self = cycle;
      cycle.big = 10n;
      return text === "a" ? cycle : text === "b" ? Symbol("odd") : undefined;
    }),
    late: () => tool(() => later(100)),
    endless: () => tool(async function* ({ text }, { progress }) {
      for (let count = 0; ; count += 1) {
        progress({ title: `${text} ${count}` });
        await later(15);
        yield count;
      }
    }),
    unchecked: () => tool(() => "never", { wish: "check that hangs" }),
    guarded: () => tool(() => "done", { defaultAction: "ask" }),
    asks: () => tool(async (_input, { ask }) => (await ask({ title: "Really?" })).decision),
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, make]) => (isWanted(name) ? [[name, make()]] : [])));
}
