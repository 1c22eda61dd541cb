import { InvalidArgumentError } from "../../errors.ts";
import type { PartBase } from "../../message/file-part.ts";
import type { FilePart } from "../../message/file-part.ts";
import type { IDSource } from "../../message/ids.ts";
import type { Part, TextPart } from "../../message/part.ts";
import { checkOptions, type OptionCheck } from "../../util/check-options.ts";
import { isLocalFile } from "./resolve-files.ts";
import { wellFormed } from "../../util/well-formed.ts";

/** A prompt: a text, or parts. */
export type PromptInput = string | readonly PromptPart[];

/** A part of a prompt. */
export type PromptPart =
  | {
      type: "text";
      text: string;
      /** Not written by a person: sent to the model, but not taken as a title. */
      synthetic?: boolean | undefined;
      /** Kept for people, not sent to the model. */
      ignored?: boolean | undefined;
    }
  | {
      type: "file";
      /** IANA media type, e.g. `image/png`. */
      mime: string;
      /** `data:` URL with base64 content, or `http(s):` URL; or a `file:` URL, which the agent's `resolveFile` reads. */
      url: string;
      filename?: string | undefined;
    };

const example = 'e.g. session.prompt("What changed?") or session.prompt([{ type: "text", text: "What is this?" }, { type: "file", mime: "image/png", url: "data:image/png;base64,…" }])';

/**
 * The stored parts of a prompt.
 *
 * @param takesFiles - whether `file:` URLs can be read
 * @throws {InvalidArgumentError} it is empty, or a part of it is not valid
 */
export function toPromptParts(input: PromptInput, base: Omit<PartBase, "id">, ids: IDSource, { takesFiles }: { takesFiles: boolean }): Part[] {
  if (typeof input !== "string" && !Array.isArray(input)) throw new InvalidArgumentError("prompt.input", `expected a text or a list of parts, got ${typeof input}; ${example}.`);
  const given: readonly PromptPart[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  // Array.from visits the holes of a sparse list, too.
  const parts = Array.from(given, (part, index) => toPart(part, `prompt.input[${index}]`, { id: ids("prt"), ...base }));
  if (!takesFiles) refuseLocalFiles(parts);
  if (!parts.some(isShown)) throw new InvalidArgumentError("prompt.input", `the prompt is empty. Give it a text or a file, ${example}.`);
  return parts;
}

function refuseLocalFiles(parts: readonly Part[]): void {
  const index = parts.findIndex(isLocalFile);
  if (index === -1) return;
  throw new InvalidArgumentError(`prompt.input[${index}].url`, "is a file: URL, and this agent reads no local files. Give createAgent a resolveFile, e.g. workspaceFiles({ root }) of throughline/tools/workspace; or read the file yourself, and give its content as a data: URL.");
}

/** Needed, so that it must be there as well. */
const checkedApart: OptionCheck = () => undefined;

const anyText: OptionCheck = (value, argument) => {
  if (typeof value !== "string") throw new InvalidArgumentError(argument, `expected a text, got ${typeof value}.`);
};

const flag: OptionCheck = (value, argument) => {
  if (typeof value !== "boolean") throw new InvalidArgumentError(argument, `expected true or false, got ${typeof value}.`);
};

/** Whether the model sees anything of the part. */
function isShown(part: Part): boolean {
  return part.type === "text" ? part.ignored !== true && part.text.trim() !== "" : true;
}

function toPart(part: PromptPart, where: string, base: PartBase): TextPart | FilePart {
  // Callers without types pass anything.
  const type: unknown = (part as PromptPart | null | undefined)?.type;
  if (type === "text" && part.type === "text") {
    checkOptions(where, part, { type: checkedApart, text: checkedApart, synthetic: flag, ignored: flag });
    if (typeof part.text !== "string") throw new InvalidArgumentError(`${where}.text`, `expected a text, got ${typeof part.text}.`);
    const { synthetic, ignored } = part;
    return { ...base, type: "text", text: wellFormed(part.text), ...(synthetic === true && { synthetic }), ...(ignored === true && { ignored }) };
  }
  if (type === "file" && part.type === "file") return toFile(part, where, base);
  throw new InvalidArgumentError(where, `expected a part of type "text" or "file", got ${typeof type === "string" ? `"${type}"` : typeof part}; ${example}.`);
}

function toFile(part: Extract<PromptPart, { type: "file" }>, where: string, base: PartBase): FilePart {
  checkOptions(where, part, { type: checkedApart, mime: checkedApart, url: checkedApart, filename: anyText });
  if (typeof part.mime !== "string" || !/^[^/\s]+\/[^/\s]+$/.test(part.mime)) {
    throw new InvalidArgumentError(`${where}.mime`, `expected a media type such as "image/png", got ${typeof part.mime === "string" ? `"${part.mime}"` : typeof part.mime}.`);
  }
  if (typeof part.url !== "string" || !/^(data:[^,]*,|https?:\/\/|file:)/i.test(part.url)) {
    throw new InvalidArgumentError(`${where}.url`, "expected a data: or http(s): URL, or a file: URL where the agent has a resolveFile. Read a local file yourself, and give its content as a data: URL.");
  }
  return { ...base, type: "file", mime: part.mime, url: part.url, ...(part.filename !== undefined && { filename: wellFormed(part.filename) }) };
}
