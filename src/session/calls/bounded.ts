import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import { withDeadline } from "../../util/with-deadline.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What a tool's own code says about a call before it runs: within the tool's time, and not past the end of the turn. */
export function bounded<T>(answer: Promise<T>, { name, timeoutMs }: CompiledTool, { signal, clock, toolMs }: ToolEnvironment): Promise<T> {
  const limitMs = timeoutMs ?? toolMs;
  return untilAborted(withDeadline(answer, clock, limitMs, () => new Error(`it did not say within ${limitMs} ms what "${name}" needs for this call`)), signal);
}
