import type { Clock, StandardSchema } from "throughline";
import type { Wish } from "./scenario.ts";

export interface Input {
  text?: string;
}

type Verdict = Awaited<ReturnType<StandardSchema<unknown, Input>["~standard"]["validate"]>>;

/** A schema that wants a text. Made by hand: thousands of agents compile it, and nothing has to be loaded for it. */
export function anySchema(wish: Wish, clock: Clock): StandardSchema<unknown, Input> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        const verdict: Verdict = typeof value === "object" && value !== null && "text" in value ? { value: value as Input } : { issues: [{ message: "expected a text" }] };
        if (wish === "check that throws") throw new Error("The check fails.");
        if (wish === "check that hangs") return new Promise(() => undefined);
        return wish === "slow check" ? new Promise((resolve) => void clock.setTimeout(() => { resolve(verdict); }, 20)) : verdict;
      },
      jsonSchema: { input: () => ({ type: "object", properties: { text: { type: "string" } } }) },
    },
  };
}
