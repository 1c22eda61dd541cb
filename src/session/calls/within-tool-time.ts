import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { settleInTime } from "../../util/settle-in-time.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What a tool's own code says about a call before it runs: within the tool's time, and not past the end of the turn. */
export function withinToolTime<T>(answer: Promise<T>, { name, timeoutMs }: CompiledTool, { signal, clock, toolMs }: ToolEnvironment): Promise<T> {
  const ms = timeoutMs ?? toolMs;
  return settleInTime(answer, { signal, clock, ms }, () => {
    throw new Error(`it did not say within ${ms} ms what "${name}" needs for this call`);
  });
}
