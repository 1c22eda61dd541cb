import type { Part, ToolPart } from "../../message/part.ts";
import { sameInput } from "./same-input.ts";

/** A call, as far as repetition is concerned. */
export interface KnownCall {
  /** In small letters: a model that varies them repeats itself all the same. */
  tool: string;
  input: unknown;
  /** What it came to; nothing for one that never ran, or has no result yet: it repeats any other of its tool and input. */
  result: readonly string[] | undefined;
}

/** A call that has its result. */
export function settledCall({ tool, state }: ToolPart): KnownCall {
  const raw = "raw" in state ? state.raw : undefined;
  return { tool: tool.toLowerCase(), input: raw === undefined || raw === "" ? state.input : argumentsOf(raw), result: resultOf(state) };
}

/** A call that is about to run. */
export function openCall(tool: string, raw: string): KnownCall {
  return { tool: tool.toLowerCase(), input: argumentsOf(raw), result: undefined };
}

/** What the provider runs itself is over before anybody could hold it back. */
export function isOwnCall(part: Part): part is ToolPart {
  return part.type === "tool" && part.providerExecuted !== true;
}

/** Whether a call asks for the same as one before it, and came to the same, as far as is known. */
export function repeats(call: KnownCall | undefined, before: KnownCall | undefined): boolean {
  if (call === undefined || before?.tool !== call.tool || !sameInput(call.input, before.input)) return false;
  return call.result === undefined || before.result === undefined || (call.result.length === before.result.length && call.result.every((text, index) => text === before.result?.[index]));
}

/** The arguments that a text stands for, read as the engine reads them. */
function argumentsOf(raw: string): unknown {
  if (raw.trim() === "") return {};
  const value = parsed(raw);
  const unwrapped = typeof value === "string" ? parsed(value) : value;
  return typeof unwrapped === "object" && unwrapped !== null ? unwrapped : { value: typeof value === "string" ? value : raw };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function resultOf(state: ToolPart["state"]): readonly string[] | undefined {
  if (state.status === "error") return state.neverRan === true ? undefined : [state.error];
  return state.status === "completed" ? [state.output, ...(state.attachments ?? []).map(({ url }) => url)] : undefined;
}
