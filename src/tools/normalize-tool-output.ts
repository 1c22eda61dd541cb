import type { JSONObject, JSONValue } from "../message/json.ts";
import type { ModelOutput, ModelOutputContent } from "../message/tool-state.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import { wellFormed } from "../util/well-formed.ts";
import { normalizeModelOutput, toBase64 } from "./normalize-model-output.ts";
import { errorMessage } from "../util/error-message.ts";

/** A tool's result as it is stored. */
export interface NormalizedToolOutput {
  title: string;
  /** What people read, and the model too unless `modelOutput` is set. Empty when the tool returned nothing. */
  output: string;
  metadata: JSONObject;
  attachments?: ToolAttachment[] | undefined;
  modelOutput?: ModelOutput | undefined;
  /** What the tool keeps for its later calls. */
  kept?: JSONValue | undefined;
}

export interface ToolAttachment {
  /** IANA media type. */
  mime: string;
  filename?: string | undefined;
  /** `data:` URL with base64 content, or another URL. */
  url: string;
}

/** A result with these fields only is a structured one. A value that has more beside `output` is the tool's own data. */
const resultFields: ReadonlySet<string> = new Set(["title", "output", "metadata", "attachments", "state"]);

/**
 * Brings whatever a tool returned into the form that is stored: JSON-safe, well-formed, and never an exception.
 *
 * A string stays; nothing (`undefined`, `null`) is an empty output; `{ title?, output, metadata?, attachments?, state? }` is taken
 * apart; the AI SDK's `{ type: "content", value: [...] }` keeps its media; any other value is JSON.
 */
export function normalizeToolOutput(value: unknown, tool: { name: string; title?: string | undefined }): NormalizedToolOutput {
  const title = tool.title ?? tool.name;
  try {
    return isStructuredResult(value) ? normalizeStructured(value, title) : { title, metadata: {}, ...normalizeValue(value) };
  } catch (error) {
    return { title, metadata: {}, output: `[The tool's result could not be read: ${errorMessage(error)}]` };
  }
}

type StructuredResult = Partial<Record<"title" | "metadata" | "attachments" | "state", unknown>> & { output: unknown };

function isStructuredResult(value: unknown): value is StructuredResult {
  return typeof value === "object" && value !== null && "output" in value && Object.keys(value).every((key) => resultFields.has(key));
}

function normalizeStructured(result: StructuredResult, defaultTitle: string): NormalizedToolOutput {
  const { title, output, metadata, attachments, state } = result;
  const candidates: unknown[] = Array.isArray(attachments) ? attachments : [];
  const usable = candidates.flatMap((candidate) => normalizeAttachment(candidate) ?? []);
  const normalized = normalizeValue(output);
  return {
    title: typeof title === "string" && title !== "" ? wellFormed(title) : defaultTitle,
    ...normalized,
    output: withNoteOfLoss(normalized.output, candidates.length - usable.length),
    metadata: toObject(metadata),
    ...(usable.length > 0 && { attachments: usable }),
    ...(state !== undefined && { kept: toJSONSafe(state) }),
  };
}

function normalizeValue(value: unknown): { output: string; modelOutput?: ModelOutput } {
  if (isContent(value)) {
    const modelOutput = normalizeModelOutput(value);
    return { output: modelOutput.type === "content" ? modelOutput.value.map(describeContent).join("\n") : "", modelOutput };
  }
  const safe = toJSONSafe(value);
  if (safe === null) return { output: "" };
  if (typeof safe === "string") return { output: safe };
  return { output: JSON.stringify(safe), modelOutput: { type: "json", value: safe } };
}

function isContent(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === "content" && "value" in value && Array.isArray(value.value);
}

function describeContent(part: ModelOutputContent): string {
  return part.type === "text" ? part.text : `[${part.mediaType}${part.filename === undefined ? "" : ` "${part.filename}"`}]`;
}

function normalizeAttachment(attachment: unknown): ToolAttachment | undefined {
  if (typeof attachment !== "object" || attachment === null) return undefined;
  const fields: { mime?: unknown; mediaType?: unknown; filename?: unknown; url?: unknown; data?: unknown } = attachment;
  const mime = fields.mime ?? fields.mediaType;
  if (typeof mime !== "string" || mime === "") return undefined;
  const base64 = toBase64(fields.data);
  const url = fields.url ?? (base64 === undefined ? undefined : `data:${mime};base64,${base64}`);
  if (typeof url !== "string" && !(url instanceof URL)) return undefined;
  return { mime, ...(typeof fields.filename === "string" && { filename: wellFormed(fields.filename) }), url: String(url) };
}

function withNoteOfLoss(output: string, lost: number): string {
  if (lost === 0) return output;
  return `${output}${output === "" ? "" : "\n"}[${lost} attachments left out: each needs "mime", and "url" or "data".]`;
}

function toObject(metadata: unknown): JSONObject {
  const safe = toJSONSafe(metadata);
  return typeof safe === "object" && safe !== null && !Array.isArray(safe) ? safe : {};
}
