import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Json = Record<string, unknown>;

/** How the lines of a recording are to be read. */
export type DialectName = "anthropic" | "responses" | "chat" | "google";

/** A stream that a real provider sent once: one server-sent payload per line. */
export interface Recording {
  /** The file's name, without its endings. */
  name: string;
  provider: string;
  dialect: DialectName;
  /** The model that answered. */
  modelID: string;
  /** The lines of each answer: a recording may hold the answers of a whole turn. */
  answers: string[][];
}

/** The recordings are not part of this repository: a folder beside it, or where the variable says. */
const folder = process.env["THROUGHLINE_FIXTURES"] ?? fileURLToPath(new URL("../../../shared/fixtures", import.meta.url));

/** Every recording of the folder's index; none where there is no folder. */
export const recordings: Recording[] = existsSync(`${folder}/INDEX.tsv`) ? readIndex() : [];

export function recordingOf(name: string): Recording {
  const recording = recordings.find((candidate) => candidate.name === name);
  if (recording === undefined) throw new Error(`There is no recording "${name}".`);
  return recording;
}

/** The payloads of some lines. A broken line is left out: real streams have them. */
export function payloadsOf(lines: readonly string[]): Json[] {
  return lines.flatMap((line) => {
    try {
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
    return { name: file.replace(/(\.\d+)?\.chunks\.txt$/, "$1"), provider, ...describe(lines), answers: splitAnswers(lines) };
  });
}

/** The payloads tell which dialect they are: the same provider may speak several. */
function describe(lines: readonly string[]): { dialect: DialectName; modelID: string } {
  const text = lines.join("\n");
  const modelID = /"(?:model|modelVersion)":"([^"]+)"/.exec(text)?.[1] ?? "unknown";
  if (text.includes('"type":"message_start"')) return { dialect: "anthropic", modelID };
  if (text.includes('"type":"response.created"')) return { dialect: "responses", modelID };
  return { dialect: text.includes('"candidates":') ? "google" : "chat", modelID };
}

/** After an end marker a new answer begins. */
function splitAnswers(lines: readonly string[]): string[][] {
  const answers: string[][] = [[]];
  for (const line of lines) {
    answers.at(-1)?.push(line);
    if (/"type":"(message_stop|response\.completed)"/.test(line)) answers.push([]);
  }
  return answers.filter((answer) => answer.length > 0);
}
