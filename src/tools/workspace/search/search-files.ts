import { join } from "node:path";
import { runInContext, createContext, type Context } from "node:vm";
import { maxWholeBytes, readBytes } from "../files/read-whole.ts";
import { openJudged } from "../paths/open-judged.ts";
import { PathRefusedError } from "../paths/path-refused-error.ts";
import { codeOf } from "../paths/system-error.ts";
import { shownLine, type Findings, type FoundLine, type SearchLimits } from "./found-line.ts";

/** Of one batch: a regular expression can take longer than the universe lasts, and the process would stand still with it. */
const batchTimeoutMs = 2_000;

/** Files are searched together until they have so many characters, as each batch has a price of its own. */
const batchLength = 1_000_000;

interface LoadedFile {
  file: string;
  text: string;
}

/**
 * Searches files one after another, line by line. Binary and very large files are left out, and so is what cannot be read.
 *
 * @throws {PathRefusedError} the pattern takes too long
 */
export async function searchFiles(regexp: RegExp, files: readonly string[], base: string, limits: SearchLimits): Promise<Findings> {
  const lines: FoundLine[] = [];
  const guard = createContext({ search: undefined });
  let batch: LoadedFile[] = [];
  let length = 0;
  // One more than wanted tells whether there are more.
  const wanted = limits.maxLines + 1;
  const searchBatch = (): void => {
    lines.push(...inTime(() => searchTexts(regexp, batch, wanted - lines.length), guard));
    batch = [];
    length = 0;
  };
  for (const file of files) {
    limits.signal.throwIfAborted();
    const text = await loadText(join(base, file));
    if (text === undefined) continue;
    batch.push({ file, text });
    length += text.length;
    if (length >= batchLength) searchBatch();
    if (lines.length >= wanted) break;
  }
  if (lines.length < wanted) searchBatch();
  return { lines: lines.slice(0, limits.maxLines), isCut: lines.length >= wanted };
}

/** The engine ends a regular expression only for a script that has a time limit. */
function inTime(search: () => FoundLine[], guard: Context): FoundLine[] {
  guard["search"] = search;
  try {
    // What the script returns is what `search` does.
    return runInContext("search()", guard, { timeout: batchTimeoutMs }) as FoundLine[];
  } catch (error) {
    if (codeOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new PathRefusedError("pattern takes too long: it has repetitions within repetitions. Write it without, e.g. \"a+\" and not \"(a+)+\", or look for a plain text.");
  }
}

function searchTexts(regexp: RegExp, batch: readonly LoadedFile[], wanted: number): FoundLine[] {
  const found: FoundLine[] = [];
  for (const { file, text } of batch) {
    let line = 0;
    for (let start = 0; start < text.length && found.length < wanted; ) {
      const newline = text.indexOf("\n", start);
      const end = newline === -1 ? text.length : newline;
      line += 1;
      const content = text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
      if (regexp.test(content)) found.push({ file, line, text: shownLine(content) });
      start = end + 1;
    }
  }
  return found;
}

async function loadText(real: string): Promise<string | undefined> {
  try {
    const handle = await openJudged({ real, name: real });
    try {
      const stats = await handle.stat();
      if (stats.size > maxWholeBytes) return undefined;
      const bytes = await readBytes(handle, maxWholeBytes);
      return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
