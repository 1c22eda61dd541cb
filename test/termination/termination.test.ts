import { expect, it } from "vitest";
import { checkScenarios } from "./check-scenarios.ts";

/** `npm run test:fuzz` makes more of them, with other seeds. */
const runs = 20_000;

it("for any model, tools, options and moment of an abort a session ends, within its limits, and leaves nothing behind", async () => {
  expect(await checkScenarios({ seed: 20_261, numRuns: runs })).toBeUndefined();
}, 300_000);
