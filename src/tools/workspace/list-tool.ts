import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { fileResult, type FileResult } from "./file-result.ts";
import { compileGlob } from "./glob-tool.ts";
import { lookingTool } from "./looking-tool.ts";
import { describePath } from "./paths/judged-path.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { belowStart, searchPlace } from "./search/search-place.ts";
import { walkFiles } from "./search/walk-files.ts";
import { leaveFor, type Workspace } from "./workspace.ts";

export interface ListInput {
  path?: string | undefined;
  ignore?: string[] | undefined;
}

const maxShown = 200;
const maxDepth = 8;

const description = `Shows what is in a folder, as a tree. Use it to get to know a project; use glob when you know what you look for.

- path: the folder. Default: the workspace.
- ignore: patterns of what to leave out, e.g. ["dist", "*.snap"]. What .gitignore leaves out, .git and node_modules are not shown.
- You get up to ${maxShown} entries, the upper levels first; folders end in "/".

Example: {"path": "src"}`;

/** `list`: a folder as a tree. */
export function createListTool(workspace: Workspace): Tool<ListInput, FileResult> {
  return defineTool<ListInput, FileResult>({
    title: "List",
    description,
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: "The folder. Default: the workspace" },
        ignore: { type: "array", items: { type: "string" }, description: "Patterns of what to leave out" },
      },
      additionalProperties: false,
    },
    ...lookingTool,
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.path ?? ".", context);
      return { ...leaveFor("list", path), title: `List ${describePath(path)}` };
    },
    async execute(input, context) {
      const { path, gate } = await workspace.judgeAgain(input, input.path ?? ".", context);
      if (path.kind === "file") throw new PathRefusedError(`${path.name} is a file. Read it with the read tool.`);
      const place = await searchPlace(path, gate.root);
      const ignored = (input.ignore ?? []).map((pattern) => compileGlob(pattern.replace(/\/$/, ""), "include"));
      const isShown = (entry: string): boolean => !ignored.some((matches) => matches(belowStart(entry, place)));
      const walk = await walkFiles(place, { signal: context.abortSignal, enters: (folder, depth) => depth < maxDepth && isShown(folder) });
      const entries = [...walk.files, ...walk.others].filter(isShown).map((entry) => belowStart(entry, place));
      const shown = upperLevels(entries);
      const notes = entries.length > shown.length || walk.isCut ? [`(${entries.length}${walk.isCut ? " or more" : ""} entries; these are ${shown.length} of them. Give a path to see more.)`] : [];
      const output = [path.name === "." ? "./" : `${path.name}/`, ...tree(shown), ...(entries.length === 0 ? ["(The folder is empty.)"] : []), ...notes].join("\n");
      return fileResult(path, { output, count: entries.length, truncated: notes.length > 0 });
    },
  });
}

/** Level by level, as many as are shown. */
function upperLevels(entries: readonly string[]): string[] {
  const depthOf = (entry: string): number => entry.replace(/\/$/, "").split("/").length;
  const sorted = entries.map((entry) => ({ entry, depth: depthOf(entry) })).sort((a, b) => a.depth - b.depth || (a.entry < b.entry ? -1 : 1));
  return sorted.slice(0, maxShown).map(({ entry }) => entry);
}

/** Each entry below its folder, indented. Of an entry that is shown the folder is, too: it comes earlier. */
function tree(entries: readonly string[]): string[] {
  // A folder's slash sorts before what is in it, and its name before that of its neighbours.
  const key = (entry: string): string => entry.replaceAll("/", "\u0000");
  const sorted = entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return sorted.map((entry) => {
    const names = entry.replace(/\/$/, "").split("/");
    return `${"  ".repeat(names.length)}${names.at(-1) ?? ""}${entry.endsWith("/") ? "/" : ""}`;
  });
}
