import type { FilePart } from "../message/file-part.ts";
import { isReadable } from "../message/is-readable.ts";
import type { WithParts } from "../message/message.ts";
import type { Part, ReasoningPart } from "../message/part.ts";
import { isGivenAsText } from "../message/medium.ts";
import type { ModelOutput, ModelOutputContent, ToolState } from "../message/tool-state.ts";

/** Roughly what a model counts for a message. In tokens. */
export interface MessageEstimate {
  /** All of it: what is said, calls and results. */
  total: number;
  /** The results of tools that ran here. They stand in the message of their call, and come after what the model said. */
  results: number;
}

/** {@link estimateMessage}, or one that remembers. */
export type MessageEstimator = (entry: WithParts) => MessageEstimate;

/** What stands around a message and around a call and its result on the wire: role, ids, names of fields. */
const messageTokens = 4;
const callTokens = 8;
/** One line of the engine: a placeholder, or a note in the place of a part. */
const lineTokens = 25;
/** OpenCode's and Anthropic's figure for an image that fills its frame. */
const imageTokens = 1_500;
/** OpenCode's figure for a document, of which a page has about 100 kB. */
const documentTokens = 2_000;
const documentBytesPerToken = 50;

const nothing: MessageEstimate = Object.freeze({ total: 0, results: 0 });

/** Estimates a message as the model is shown it. Linear in its size, total, never negative, and never less for more. */
export function estimateMessage({ info, parts }: WithParts): MessageEstimate {
  if (info.role === "user" && info.state !== undefined) return nothing;
  let said = 0;
  let results = 0;
  for (const part of parts) {
    if (!isReadable(part)) continue;
    said += estimatePart(part);
    if (part.type !== "tool") continue;
    const result = estimateToolOutput(part.state);
    if (part.providerExecuted === true) said += result;
    else results += result;
  }
  const content = said + results;
  return { total: content === 0 ? 0 : content + messageTokens, results };
}

/** An estimator that looks at each list of parts once. Rows are final, so that a change comes with a new list. */
export function createMessageEstimator(): MessageEstimator {
  const known = new WeakMap<readonly Part[], MessageEstimate>();
  return (entry) => {
    // Only of promoted messages: the same parts count differently once their prompt is promoted.
    if (entry.info.role === "user" && entry.info.state !== undefined) return nothing;
    let estimate = known.get(entry.parts);
    if (estimate === undefined) {
      estimate = estimateMessage(entry);
      known.set(entry.parts, estimate);
    }
    return estimate;
  };
}

/** Estimates what stands before the messages in every request: the system text, and the tool definitions as JSON. */
export function estimateOverhead(system: string, tools: readonly unknown[]): number {
  return estimateText(system) + (tools.length === 0 ? 0 : estimateJSON(tools));
}

/** Tokens of a part; of a call without its result. */
function estimatePart(part: Part): number {
  switch (part.type) {
    case "text":
      return part.ignored === true ? 0 : estimateText(part.text);
    case "reasoning":
      return estimateReasoning(part);
    case "file":
      return isGivenAsText(part) ? 0 : estimateFile(part);
    case "tool":
      return callTokens + estimateText(part.tool) + estimateJSON(part.state.input);
    case "custom":
      return estimateJSON(part.metadata);
    case "compaction":
    case "subtask":
      return lineTokens;
    // For people and for the engine.
    default:
      return 0;
  }
}

/** Encrypted reasoning stands in the metadata, with or without a readable text of it. */
function estimateReasoning({ text, metadata }: ReasoningPart): number {
  return Math.max(estimateText(text), metadata === undefined ? 0 : estimateJSON(metadata));
}

/** Tokens of a call's result, in whatever state the call is. */
export function estimateToolOutput(state: ToolState): number {
  if (state.status !== "completed" && state.status !== "error") return lineTokens;
  if (state.time.compacted !== undefined) return clearedTokens;
  if (state.modelOutput !== undefined) return estimateModelOutput(state.modelOutput);
  if (state.status === "error") return estimateText(state.error);
  return (state.attachments ?? []).reduce((sum, file) => sum + estimateFile(file), estimateText(state.output));
}

/** Tokens of the placeholder for an output that was cleared. */
export const clearedTokens = 8;

function estimateModelOutput(output: ModelOutput): number {
  switch (output.type) {
    case "text":
    case "error-text":
      return estimateText(output.value);
    case "json":
    case "error-json":
      return estimateJSON(output.value);
    case "content":
      return output.value.reduce((sum, item) => sum + estimateContent(item), 0);
    // A refusal is one line; what another version stored is shown as one.
    default:
      return lineTokens;
  }
}

function estimateContent(item: ModelOutputContent): number {
  if (item.type === "text") return estimateText(item.text);
  return item.data.type === "data" ? estimateMedium(item.mediaType, item.data.data.length) : estimateURL(item.mediaType, item.data.url);
}

function estimateFile({ mime, url }: FilePart): number {
  return estimateURL(mime, url);
}

/** Only a `data:` URL tells the size. Its text is not looked through: base64 can be megabytes, and is no text to the model. */
function estimateURL(mime: unknown, url: unknown): number {
  const isInline = typeof url === "string" && url.startsWith("data:");
  return estimateMedium(mime, isInline ? url.length : 0);
}

function estimateMedium(mime: unknown, base64Length: number): number {
  const bytes = base64Length * 0.75;
  const type = typeof mime === "string" ? mime.toLowerCase() : "";
  if (type.startsWith("image/")) return imageTokens;
  // A document of text is read as what it is.
  if (type.startsWith("text/")) return Math.ceil(bytes / 4) + lineTokens;
  return Math.max(documentTokens, Math.ceil(bytes / documentBytesPerToken));
}

/** About four ASCII characters a token; of any other script one character, or half a surrogate pair, a token. */
export function estimateText(text: unknown): number {
  return typeof text === "string" ? Math.ceil(quartersOf(text) / 4) : 0;
}

const beyondASCII = /[\u0080-\uFFFF]/;

/** The text in quarters of a token, so that sums stay whole numbers. The search is five times as fast as the loop. */
function quartersOf(text: string): number {
  let quarters = text.length;
  const start = text.search(beyondASCII);
  if (start === -1) return quarters;
  for (let index = start; index < text.length; index += 1) if (text.charCodeAt(index) > 127) quarters += 3;
  return quarters;
}

/** Tokens of a value as JSON text, without making that text. By a list of what is left to do: damaged rows may be deep. */
export function estimateJSON(value: unknown): number {
  let quarters = 0;
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    // Quotes, brackets, commas and colons.
    quarters += 2;
    if (typeof next === "string") quarters += quartersOf(next);
    else if (Array.isArray(next)) for (const item of next) rest.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const [key, field] of Object.entries(next)) {
        quarters += quartersOf(key) + 3;
        rest.push(field);
      }
    } else quarters += String(next).length;
  }
  return Math.ceil(quarters / 4);
}
