import { readdir } from "node:fs/promises";
import { readText } from "./read-file-tool.ts";

/** The file to talk about: the folder's README.md or package.json, or else its first text file; `undefined` without any. */
export async function findTextFile(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder);
  const favourites = ["README.md", "package.json"].filter((name) => entries.includes(name));
  for (const name of new Set([...favourites, ...entries.sort()])) {
    const text = await readText(folder, name).catch(() => "");
    if (text.trim() !== "") return name;
  }
  return undefined;
}
