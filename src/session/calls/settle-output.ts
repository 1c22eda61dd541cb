import type { ToolStateCompleted } from "../../message/tool-state.ts";
import type { OwnerOperation } from "../../storage/storage.ts";
import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { limitOutput, outputReadName } from "../../tools/limit-output.ts";
import { normalizeModelOutput } from "../../tools/normalize-model-output.ts";
import { normalizeToolOutput, type NormalizedToolOutput } from "../../tools/normalize-tool-output.ts";
import type { TextLimits } from "../../tools/truncate-text.ts";
import { artifactIDOf, type FullOutputs } from "../outputs/full-outputs.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** A call's output as it is stored. */
export interface SettledOutput {
  output: NormalizedToolOutput;
  truncated?: ToolStateCompleted["truncated"];
  /** What is written with it. */
  keep?: (() => OwnerOperation[]) | undefined;
}

/** The limits of a tool's outputs. */
export function limitsOf({ maxOutputChars, isOutputReader }: CompiledTool, { outputLimits }: Pick<ToolEnvironment, "outputLimits">): TextLimits {
  if (isOutputReader === true) return {};
  return maxOutputChars === undefined ? outputLimits : { maxChars: maxOutputChars };
}

/**
 * Makes a call's output of what its tool returned: in the form that is stored, clean, within its limits. `toModelOutput` runs
 * here, once, so that what the model saw never changes.
 */
export async function settleOutput(value: unknown, ready: ReadyCall, environment: ToolEnvironment): Promise<SettledOutput> {
  const { tool, call, value: input } = ready;
  const output = normalizeToolOutput(value, tool);
  if (tool.toModelOutput !== undefined) output.modelOutput = normalizeModelOutput(await tool.toModelOutput({ toolCallId: call.part.callID, input, output: value }));
  const limits = limitsOf(tool, environment);
  const limited = limitOutput(output, { limits, fullID: undefined });
  const { full, totals } = limited;
  if (full === undefined || totals === undefined) return { output: limited.output };
  const outputs = keeper(environment);
  if (outputs === undefined) return { output: limited.output, truncated: totals };
  const artifactID = await artifactIDOf(full);
  return {
    output: limitOutput(output, { limits, fullID: artifactID }).output,
    truncated: { ...totals, artifactID },
    keep: () => outputs.keep(artifactID, full, call.part, environment.history),
  };
}

/** Who keeps the whole; nobody where the model could not read it. */
function keeper({ fullOutputs, isHidden, tools }: ToolEnvironment): FullOutputs | undefined {
  if (fullOutputs?.isOn !== true || isHidden?.(outputReadName) === true) return undefined;
  return tools.some(({ name, isOutputReader }) => name === outputReadName && isOutputReader !== true) ? undefined : fullOutputs;
}
