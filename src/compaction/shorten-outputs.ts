import { isReadable } from "../message/is-readable.ts";
import type { WithParts } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { ModelOutput, ToolState } from "../message/tool-state.ts";
import { wellFormed } from "../util/well-formed.ts";

/** What OpenCode leaves of a tool output in a summary request, in characters. */
const maxSummaryOutput = 2_000;

/**
 * The messages with their long tool outputs cut, for a summary request after the ordinary one was too large. A copy: the
 * history keeps them whole. A provider's own results stay, as only the provider can read them.
 *
 * @param maxCharacters most characters of one output
 */
export function shortenOutputs(entries: readonly WithParts[], maxCharacters: number = maxSummaryOutput): WithParts[] {
  const shorten = (part: Part): Part => (isReadable(part) && part.type === "tool" && part.providerExecuted !== true ? { ...part, state: shortenState(part.state, maxCharacters) } : part);
  return entries.map((entry) => ({ info: entry.info, parts: entry.parts.map(shorten) }));
}

function shortenState(state: ToolState, max: number): ToolState {
  switch (state.status) {
    case "completed":
      if (state.modelOutput === undefined) return { ...state, output: cut(state.output, max) };
      return { ...state, modelOutput: shortenOutput(state.modelOutput, max) };
    case "error":
      if (state.modelOutput === undefined) return { ...state, error: cut(state.error, max) };
      return { ...state, modelOutput: shortenOutput(state.modelOutput, max) };
    default:
      return state;
  }
}

function shortenOutput(output: ModelOutput, max: number): ModelOutput {
  switch (output.type) {
    case "text":
    case "error-text":
      return { type: output.type, value: cut(output.value, max) };
    case "json":
    case "error-json": {
      const text = JSON.stringify(output.value);
      return text.length <= max ? output : { type: output.type === "json" ? "text" : "error-text", value: cut(text, max) };
    }
    case "content":
      return { type: "content", value: output.value.map((item) => (item.type === "text" ? { type: "text", text: cut(item.text, max) } : item)) };
    default:
      return output;
  }
}

/** Never between the halves of a surrogate pair: a lone one would be refused. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${wellFormed(text.slice(0, max))}\n[${text.length - max} more characters are not shown]`;
}
