import { spawn } from "node:child_process";
import type { SearchPattern } from "./search-pattern.ts";

/** Systems limit how long a command line may be; Windows the most, to 32 kB. */
const maxArgumentLength = 24_000;

/** What ripgrep is asked. */
export interface RipgrepSearch {
  /** The program. */
  program: string;
  pattern: NonNullable<SearchPattern["ripgrep"]>;
  /** By their paths from the base, sorted. */
  files: readonly string[];
  base: string;
  signal: AbortSignal;
}

/**
 * Has ripgrep say which of the files match. It gets the files that our own walk found, and what it names is searched again by
 * our own search: so the answer is the same with it and without, and what it opens by a path that was swapped is never shown.
 *
 * @param enough - stops when so many match
 * @returns `undefined` when it is not there, or does not take the pattern
 */
export async function matchingFiles(search: RipgrepSearch, enough: number): Promise<string[] | undefined> {
  const matching: string[] = [];
  for (const files of batches(search.files)) {
    const found = await runOnce(files, search);
    if (found === undefined) return undefined;
    matching.push(...found);
    if (matching.length >= enough) break;
  }
  return matching;
}

function* batches(files: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const file of files) {
    // A character may take three bytes.
    if (length + file.length * 3 > maxArgumentLength && batch.length > 0) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(file);
    length += file.length * 3 + 1;
  }
  if (batch.length > 0) yield batch;
}

function runOnce(files: readonly string[], { program, pattern, base, signal }: RipgrepSearch): Promise<string[] | undefined> {
  const options = ["--no-config", "--no-messages", "--files-with-matches", "--null", "--crlf", "--text", "--sort", "path", pattern.ignoreCase ? "--ignore-case" : "--case-sensitive"];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...options, "--regexp", pattern.pattern, "--", ...files], { cwd: base, stdio: ["ignore", "pipe", "ignore"], signal });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.on("error", (error) => {
      if (signal.aborted) reject(error);
      else resolve(undefined);
    });
    child.on("close", (code) => {
      const found = output.split("\0").filter((file) => file !== "");
      // 1 is "nothing found"; 2 is a pattern that it does not take, or with findings a file that could not be read.
      resolve(code === 0 || code === 1 || found.length > 0 ? found : undefined);
    });
  });
}
