import type { ModelToolOutput } from "./model-prompt.ts";

/** A result with no text longer than so many characters; what was cut is said. */
export function cutOutput(output: ModelToolOutput, maxChars: number): ModelToolOutput {
  switch (output.type) {
    case "text":
    case "error-text":
      return Object.assign({}, output, { value: cut(output.value, maxChars) });
    case "json":
    case "error-json": {
      const text = JSON.stringify(output.value);
      return text.length <= maxChars ? output : { type: output.type === "json" ? "text" : "error-text", value: cut(text, maxChars) };
    }
    case "content": {
      const value = output.value.map((item) => (item.type === "text" ? Object.assign({}, item, { text: cut(item.text, maxChars) }) : item));
      return Object.assign({}, output, { value });
    }
    case "execution-denied":
      return output;
  }
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // Half of a surrogate pair would make the request invalid.
  const end = text.slice(0, maxChars).isWellFormed() ? maxChars : maxChars - 1;
  return `${text.slice(0, end)}\n[${text.length - end} characters left out]`;
}
