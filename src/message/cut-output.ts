import type { ModelToolOutput } from "./model-prompt.ts";

/** A result with no text longer than so many characters; what was cut is said. */
export function cutOutput(output: ModelToolOutput, maxChars: number): ModelToolOutput {
  if (output.type === "execution-denied") return output;
  if (output.type === "content") return { type: "content", value: output.value.map((item) => (item.type === "text" ? { type: "text", text: cut(item.text, maxChars) } : item)) };
  const text = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
  return text.length <= maxChars ? output : { type: output.type.startsWith("error") ? "error-text" : "text", value: cut(text, maxChars) };
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // Half of a surrogate pair would make the request invalid.
  const end = text.slice(0, maxChars).isWellFormed() ? maxChars : maxChars - 1;
  return `${text.slice(0, end)}\n[${text.length - end} characters left out]`;
}
