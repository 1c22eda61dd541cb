import type { BenchCase } from "./bench-case.ts";
import { coldImport } from "./cases/cold-import.ts";
import { coldOpen } from "./cases/cold-open.ts";
import { concurrentSessions } from "./cases/concurrent-sessions.ts";
import { flatSteps } from "./cases/flat-steps.ts";
import { idleSessions } from "./cases/idle-sessions.ts";
import { manyTurns } from "./cases/many-turns.ts";
import { projection } from "./cases/projection.ts";
import { storeGrowth } from "./cases/store-growth.ts";
import { textDelta } from "./cases/text-delta.ts";
import { toolStep } from "./cases/tool-step.ts";

/** In the order of the table. */
export const allCases: Record<string, BenchCase> = {
  "text-delta": textDelta,
  "tool-step": toolStep,
  "flat-steps": flatSteps,
  "concurrent-sessions": concurrentSessions,
  "cold-open": coldOpen,
  projection,
  "idle-sessions": idleSessions,
  "many-turns": manyTurns,
  "store-growth": storeGrowth,
  "cold-import": coldImport,
};
