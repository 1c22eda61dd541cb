import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { fileResult, type FileResult } from "./file-result.ts";
import { lookingTool } from "./looking-tool.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { errorMessage } from "../../util/error-message.ts";
import { globMatcher, type GlobMatcher } from "./search/glob-pattern.ts";
import { belowStart, newestFirst, searchPlace } from "./search/search-place.ts";
import { walkFiles } from "./search/walk-files.ts";
import { leaveFor, type Workspace } from "./workspace.ts";

export interface GlobInput {
  pattern: string;
  path?: string | undefined;
}

const maxShown = 100;

/** Of more, not all are asked for their time. */
const maxSorted = 5_000;

const description = `Finds files by their names. Use it when you know a part of a name or path; use grep to find files by what is in them.

- pattern: "*" is any text within a name, "**" any folders, "?" one character, "{a,b}" either. It is matched from the folder on: "*.ts" finds only files directly in it, "**/*.ts" all.
- path: the folder to look in. Default: the workspace.
- You get up to ${maxShown} paths, the files that were changed last first. What .gitignore leaves out is not searched.

Example: {"pattern": "src/**/*.test.ts"}`;

/** `glob`: files by their names. */
export function createGlobTool(workspace: Workspace): Tool<GlobInput, FileResult> {
  return defineTool<GlobInput, FileResult>({
    title: "Glob",
    description,
    input: {
      type: "object",
      properties: { pattern: { type: "string", description: "What the paths look like" }, path: { type: "string", description: "Folder to look in. Default: the workspace" } },
      required: ["pattern"],
      additionalProperties: false,
    },
    ...lookingTool,
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.path ?? ".", context);
      return { ...leaveFor("glob", path, [input.pattern]), title: `Find ${input.pattern} in ${path.name}` };
    },
    async execute(input, context) {
      const { path, gate } = await workspace.judgeAgain(input, input.path ?? ".", context);
      const matches = compileGlob(input.pattern, "pattern");
      if (path.kind === "file") throw new PathRefusedError(`${path.name} is a file. Give a folder as path, or leave it out.`);
      const place = await searchPlace(path, gate.root);
      const walk = await walkFiles(place, { signal: context.abortSignal });
      const found = walk.files.filter((file) => matches(belowStart(file, place)));
      const sorted = await newestFirst(found.slice(0, maxSorted), place.base);
      const shown = sorted.slice(0, maxShown).map((file) => place.nameOf(file));
      const notes = [...(found.length > shown.length ? [`(${found.length} files match; these are ${shown.length} of them. Use a narrower pattern or path.)`] : []), ...(walk.isCut ? ["(There are too many files to look at all. Give a path.)"] : [])];
      const output = found.length === 0 ? ["No file matches.", ...notes].join("\n") : [...shown, ...notes].join("\n");
      return { ...fileResult(path, { output, count: found.length, truncated: notes.length > 0 }), title: input.pattern };
    },
  });
}

/** @throws {PathRefusedError} it is no pattern */
export function compileGlob(pattern: string, field: string): GlobMatcher {
  if (pattern.trim() === "") throw new PathRefusedError(`${field} is empty. Give one such as "**/*.ts".`);
  if (pattern.startsWith("/") || pattern.split("/").includes("..")) {
    throw new PathRefusedError(`${field} ${JSON.stringify(pattern)} leads out of the folder. Give the folder as path, and a pattern for what is in it.`);
  }
  try {
    return globMatcher(pattern, { matchBase: field === "include" });
  } catch (error) {
    throw new PathRefusedError(`${field}: ${errorMessage(error)}`);
  }
}
