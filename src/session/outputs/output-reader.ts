import type { JSONSchema7 } from "@ai-sdk/provider";
import type { JSONObject } from "../../message/json.ts";
import type { CompiledTool, InputProblem, ParseOutcome } from "../../tools/compiled-tool.ts";
import { outputReadName } from "../../tools/limit-output.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";
import type { LiveSession } from "../live-session.ts";

/** Most characters that one reading gives, unless the agent's outputs are shorter. */
const maxRead = 40_000;

const description = [
  "Reads a part of an output that was truncated. Use it when the part that was left out matters; ask for no more than you need.",
  "Give the id that the notice names, and either offset and limit (in characters) or line and limit (in lines; the first line is 1).",
  'Returns that part, and where to go on. Example: { "id": "art_0123456789abcdef01234567", "line": 400, "limit": 100 }.',
].join(" ");

const whole = { type: "integer", minimum: 0 } as const;

const inputSchema: JSONSchema7 = {
  type: "object",
  properties: {
    id: { type: "string", description: "The id that the notice names." },
    offset: { ...whole, description: "First character to read. Default 0." },
    line: { type: "integer", minimum: 1, description: "First line to read, instead of offset." },
    limit: { type: "integer", minimum: 1, description: `Most characters to read (default and at most ${maxRead}), or lines when line is given.` },
  },
  required: ["id"],
  additionalProperties: false,
};

interface ReadInput {
  id: string;
  offset?: number;
  line?: number;
  limit?: number;
}

/** The engine's own tool by which a model reads what was left out of an output. */
export function outputReader(live: LiveSession): CatalogEntry {
  const tool: CompiledTool = {
    name: outputReadName,
    description,
    inputSchema,
    parse: parseInput,
    execute: (input) => read(live, input as ReadInput), // parseInput has checked it.
    isOutputReader: true,
    readOnly: true,
    idempotent: true,
    needsNoLeave: true,
  };
  return { tool, definition: { type: "function", name: outputReadName, description, inputSchema } };
}

/** By hand: a schema library would have to be loaded for it. */
function parseInput(raw: unknown): ParseOutcome {
  const { id, ...numbers } = raw as JSONObject; // Models call tools with an object, and it was read from JSON.
  const problems: InputProblem[] = [];
  if (typeof id !== "string") problems.push({ path: ["id"], found: id, message: "The id of the output is needed", expected: "text" });
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === "offset" ? 0 : 1;
    if (!["offset", "line", "limit"].includes(name)) problems.push({ path: [name], found: value, message: "There is no such field", expected: "id, offset, line or limit" });
    else if (!Number.isSafeInteger(value) || Number(value) < least) problems.push({ path: [name], found: value, message: "It must be a whole number", expected: `a whole number of at least ${least}` });
  }
  return problems.length === 0 ? { ok: true, value: raw } : { ok: false, problems };
}

async function read(live: LiveSession, { id, offset, line, limit }: ReadInput): Promise<string> {
  const most = Math.min(maxRead, live.context.toolOutput.limits.maxChars ?? maxRead);
  const source = new OutputSource(live, id);
  const start = line === undefined ? (offset ?? 0) : await source.lineStart(line);
  const whole = await source.text(start, line === undefined ? Math.min(limit ?? most, most) : most);
  const text = line === undefined || limit === undefined ? whole : firstLines(whole, limit);
  const end = start + text.length;
  if (text === "") return `[There is nothing from there on: the output has ${source.size} characters.]`;
  const rest = end < source.size ? ` Go on with offset ${end}.` : " This is its end.";
  return `${text}\n[Characters ${start} to ${end} of ${source.size}.${rest}]`;
}

function firstLines(text: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count; line += 1) {
    const lineEnd = text.indexOf("\n", end);
    if (lineEnd === -1) return text;
    end = lineEnd + 1;
  }
  return text.slice(0, end);
}

/** One stored text, read piece by piece: it may be large. */
class OutputSource {
  size = 0;
  readonly #live: LiveSession;
  readonly #id: string;

  constructor(live: LiveSession, id: string) {
    this.#live = live;
    this.#id = id;
  }

  /** @throws {Error} for the model: there is no such text */
  async text(offset: number, limit: number): Promise<string> {
    const { context, info } = this.#live;
    // One more: no character is split at the end, and one is read at least.
    const artifact = await context.storage.getArtifact(info.id, this.#id, { offset, limit: limit + 1 });
    if (artifact === undefined) throw new Error(`there is no output "${this.#id}", or it is no longer kept. Call the tool that made it again, for less at once.`);
    this.size = artifact.size;
    const isSplit = artifact.text.length > limit && isHighHalf(artifact.text[limit - 1]);
    return artifact.text.slice(0, isSplit ? (limit === 1 ? 2 : limit - 1) : limit);
  }

  /** Where a line begins; behind the end when there are not so many. */
  async lineStart(line: number): Promise<number> {
    let before = line - 1;
    let offset = 0;
    while (before > 0) {
      const text = await this.text(offset, maxRead);
      if (text === "") return offset;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
        before -= 1;
        if (before === 0) return offset + end + 1;
      }
      offset += text.length;
    }
    return offset;
  }
}

function isHighHalf(character: string | undefined): boolean {
  return character !== undefined && /^[\ud800-\udbff]$/.test(character);
}
