import { open } from "node:fs/promises";
import { defineTool, type Tool } from "throughline";
import { z } from "zod";
import { resolveInside } from "./resolve-inside.ts";

/** Enough for a page of text, and little enough for a model's context. */
const longestBytes = 64_000;

const input = z.object({ path: z.string().describe("Path of the file, relative to the folder, e.g. README.md") });

/** A tool that reads text files of one folder, and nothing else. */
export function readFileTool(folder: string): Tool<{ path: string }, string> {
  return defineTool({
    title: "Read file",
    description: "Reads a text file of the folder you work in, and returns its content.",
    input,
    readOnly: true,
    execute: ({ path }) => readText(folder, path),
  });
}

/**
 * The start of a text file.
 *
 * @throws {Error} it is outside the folder, missing, or not text
 */
export async function readText(folder: string, path: string): Promise<string> {
  const file = await open(await resolveInside(folder, path));
  try {
    const size = (await file.stat()).size;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, longestBytes)), 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) throw new Error(`${path} is not a text file.`);
    const rest = size > bytesRead ? `\n[cut here: ${size - bytesRead} more bytes]` : "";
    return bytes.toString("utf8") + rest;
  } finally {
    await file.close();
  }
}
