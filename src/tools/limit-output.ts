import type { ModelOutput, ModelOutputContent } from "../message/tool-state.ts";
import type { JSONSafe } from "../util/json-safe.ts";
import { cleanJSON, cleanText } from "./clean-text.ts";
import type { NormalizedToolOutput } from "./normalize-tool-output.ts";
import { truncateText, type Gap, type TextLimits, type TextTotals } from "./truncate-text.ts";

/** What is done with an output before it is stored. */
export interface OutputRules {
  limits: TextLimits;
  /** Where the whole text can be read by the model; `undefined` where it cannot. */
  fullID: string | undefined;
}

/** An output within its limits. */
export interface LimitedOutput {
  output: NormalizedToolOutput;
  /** The whole text that the model, or else people, see a part of. */
  full?: string | undefined;
  totals?: TextTotals | undefined;
}

/** Name of the tool by which a model reads what was cut. */
export const outputReadName = "output_read";

/** Cleans an output of what only a terminal understands, and cuts what is too large. Most outputs come back as they are. */
export function limitOutput(given: NormalizedToolOutput, rules: OutputRules): LimitedOutput {
  const shown = given.modelOutput && limitModelOutput(given.modelOutput, rules);
  const text = limitText(given.output, rules);
  // One text is kept: the one of which the model was shown a part.
  const cut = shown?.full === undefined ? text : { ...text, full: shown.full, totals: shown.totals };
  const output: NormalizedToolOutput = { ...given, output: text.text };
  if (shown !== undefined) output.modelOutput = shown.output;
  return { output, full: cut.full, totals: cut.totals };
}

interface LimitedText {
  text: string;
  full?: string | undefined;
  totals?: TextTotals | undefined;
}

/** The same for a text by itself, e.g. an error. */
export function limitText(given: string, { limits, fullID }: OutputRules): LimitedText {
  const text = cleanText(given);
  const cut = truncateText(text, limits, (gap, totals) => cutNotice(gap, totals, fullID));
  return cut === undefined ? { text } : { text: cut.text, full: text, totals: cut.totals };
}

interface LimitedModelOutput extends Omit<LimitedText, "text"> {
  output: ModelOutput;
}

function limitModelOutput(output: ModelOutput, rules: OutputRules): LimitedModelOutput {
  switch (output.type) {
    case "text":
    case "error-text": {
      const { text, full, totals } = limitText(output.value, rules);
      return { output: { type: output.type, value: text }, full, totals };
    }
    case "json":
    case "error-json": {
      const json = JSON.stringify(output.value);
      // It was made of what JSON can carry. Mostly there is nothing to clean in it, and it stays the object that it is.
      const value = /\\(?:u00|r|b|f)/.test(json) ? cleanJSON(output.value as JSONSafe) : output.value;
      const { text, full, totals } = limitText(value === output.value ? json : JSON.stringify(value), rules);
      // A part of a JSON text is no JSON.
      return full === undefined ? { output: { type: output.type, value } } : { output: { type: output.type === "json" ? "text" : "error-text", value: text }, full, totals };
    }
    case "content":
      return limitContent(output, rules);
    default:
      return { output };
  }
}

/** The limit is for all texts of the content together: they are cut as one text, which stands in the place of the first. */
function limitContent(output: Extract<ModelOutput, { type: "content" }>, rules: OutputRules): LimitedModelOutput {
  const texts = output.value.flatMap((item) => (item.type === "text" ? [cleanText(item.text)] : []));
  const { text, full, totals } = limitText(texts.join("\n"), rules);
  let next = 0;
  if (full === undefined) return { output: { type: "content", value: output.value.map((item) => (item.type === "text" ? { type: "text", text: texts[next++] ?? "" } : item)) } };
  const first = output.value.findIndex(({ type }) => type === "text");
  const value = output.value.flatMap((item, index): ModelOutputContent[] => (item.type !== "text" ? [item] : index === first ? [{ type: "text", text }] : []));
  return { output: { type: "content", value }, full, totals };
}

function cutNotice({ start, end }: Gap, { chars, bytes, lines }: TextTotals, fullID: string | undefined): string {
  const how = fullID === undefined ? "Ask for less at once to see the rest." : `Read any part of the whole with ${outputReadName}: { "id": "${fullID}", "offset": ${start} }.`;
  return `[Output truncated: characters ${start} to ${end} are left out here. In all it has ${chars} characters, ${bytes} bytes, ${lines} lines. ${how}]`;
}
