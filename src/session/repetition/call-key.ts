import type { ToolPart } from "../../message/part.ts";

/** Deeper levels of an input count as equal: no model varies what it repeats down there. */
const maxDepth = 64;

/** What a call asks for, as one text: two calls that ask the same have the same, however their arguments are written. */
export function callKey(tool: string, input: unknown): string {
  return `${tool.toLowerCase()} ${canonical(input, 0)}`;
}

/** The arguments that a text stands for, read as the engine reads them. */
export function argumentsOf(raw: string): unknown {
  if (raw.trim() === "") return {};
  const value = parsed(raw);
  const unwrapped = typeof value === "string" ? parsed(value) : value;
  return typeof unwrapped === "object" && unwrapped !== null ? unwrapped : { value: typeof value === "string" ? value : raw };
}

/** The key of a call that has its result. */
export function keyOfPart({ tool, state }: ToolPart): string {
  const raw = "raw" in state ? state.raw : undefined;
  return callKey(tool, raw === undefined || raw === "" ? state.input : argumentsOf(raw));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function canonical(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value.normalize("NFC"));
  // 1.0, 1e0 and 1 are one number by now.
  if (typeof value !== "object" || value === null) return String(value);
  if (depth === maxDepth) return "…";
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`;
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name.normalize("NFC"))}:${canonical(field, depth + 1)}`);
  return `{${fields.sort().join(",")}}`;
}
