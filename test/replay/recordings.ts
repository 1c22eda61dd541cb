import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "./json.ts";

export type DialectName = "anthropic" | "responses" | "chat" | "google";

/** What a real provider sent once: one payload of a server-sent event per line. */
export interface Recording {
  /** The file's name, without its ending. */
  name: string;
  provider: string;
  dialect: DialectName;
  /** The model that answered. */
  modelID: string;
  /** The lines of each answer: a recording may hold the answers of a whole turn. */
  answers: string[][];
}

/** The recordings are not part of this repository: they lie in a folder beside it, or where the variable says. */
const folder = process.env["THROUGHLINE_FIXTURES"] ?? fileURLToPath(new URL("../../../shared/fixtures", import.meta.url));

/** All that the folder's index names; none where there is no folder. */
export const recordings: readonly Recording[] = existsSync(`${folder}/INDEX.tsv`) ? readIndex() : [];

/** Those whose call failed on the provider's side. */
export const brokenRecordings: readonly string[] = [
  "anthropic-refusal",
  "spliced-message-start",
  "responses__openai-error.1",
  "responses__parallel-tool-call-wrapper.1",
];

/** Name of the placeholder that stands for a suite when there is nothing to replay. */
export const whySkipped = `There are no recordings at ${folder}: set THROUGHLINE_FIXTURES to replay them.`;

export function recordingOf(name: string): Recording {
  const recording = recordings.find((candidate) => candidate.name === name);
  if (recording === undefined) throw new Error(`There is no recording "${name}".`);
  return recording;
}

/** The payloads of some lines, in order. A line that is no JSON says nothing: one recording has such lines. */
export function payloadsOf(lines: readonly string[]): Json[] {
  return lines.flatMap((line) => {
    try {
      // Each payload is an object.
      return [JSON.parse(line) as Json];
    } catch {
      return [];
    }
  });
}

function readIndex(): Recording[] {
  const [, ...rows] = readFileSync(`${folder}/INDEX.tsv`, "utf8").trim().split("\n");
  return rows.map((row) => {
    const [provider = "", file = ""] = row.split("\t");
    const lines = readFileSync(`${folder}/${provider}/${file}`, "utf8").split("\n").filter((line) => line.trim() !== "");
    return { name: file.replace(/\.chunks\.txt$/, ""), provider, ...describe(lines), answers: splitAnswers(lines) };
  });
}

/** By what the lines look like: a provider may speak several dialects, and the file's name does not always say which. */
function describe(lines: readonly string[]): { dialect: DialectName; modelID: string } {
  const all = lines.join("\n");
  const modelID = /"(?:model|modelVersion)":"([^"]+)"/.exec(all)?.[1] ?? "unknown";
  if (all.includes('"type":"message_start"')) return { dialect: "anthropic", modelID };
  if (all.includes('"type":"response.created"')) return { dialect: "responses", modelID };
  return { dialect: all.includes('"candidates":') ? "google" : "chat", modelID };
}

/** After an end marker another answer begins. */
function splitAnswers(lines: readonly string[]): string[][] {
  const answers: string[][] = [[]];
  for (const line of lines) {
    answers.at(-1)?.push(line);
    if (/^\{"type":"(message_stop|response\.completed)"/.test(line)) answers.push([]);
  }
  return answers.filter((answer) => answer.length > 0);
}
