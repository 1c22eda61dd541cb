import { join } from "node:path";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { fileResult, type FileResult } from "./file-result.ts";
import { compileGlob } from "./glob-tool.ts";
import { lookingTool } from "./looking-tool.ts";
import type { PathGate } from "./paths/path-gate.ts";
import { withSlashes } from "./paths/within.ts";
import { compileSearch } from "./search/search-pattern.ts";
import type { Findings, FoundLine } from "./search/found-line.ts";
import { matchingFiles } from "./search/run-ripgrep.ts";
import { searchFiles } from "./search/search-files.ts";
import { belowStart, filesOf, searchPlace, type SearchPlace } from "./search/search-place.ts";
import { leaveFor, type Workspace } from "./workspace.ts";

export interface GrepInput {
  pattern: string;
  path?: string | undefined;
  include?: string | undefined;
}

const maxLines = 100;

const description = `Finds lines in files by a regular expression. Use it to find where something is defined or used; use glob to find files by their names.

- pattern: a regular expression of JavaScript, matched line by line, in the case that it is written in; "(?i)" at its beginning ignores case. Put a backslash before characters that are meant literally, e.g. "log\\\\(".
- path: the folder or file to look in. Default: the workspace.
- include: which files, by a pattern, e.g. "*.ts" or "src/**/*.{ts,tsx}".
- You get up to ${maxLines} lines with their files and line numbers. What .gitignore leaves out, binary files and files with secrets are not searched.

Example: {"pattern": "function \\\\w+Session", "include": "*.ts"}`;

/** `grep`: lines by what is in them. */
export function createGrepTool(workspace: Workspace, ripgrep: string | false): Tool<GrepInput, FileResult> {
  return defineTool<GrepInput, FileResult>({
    title: "Grep",
    description,
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", description: "Regular expression" },
        path: { type: "string", description: "Folder or file to look in. Default: the workspace" },
        include: { type: "string", description: 'Which files, e.g. "*.ts"' },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    ...lookingTool,
    timeoutMs: 60_000,
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.path ?? ".", context);
      return { ...leaveFor("grep", path, [input.pattern]), title: `Search ${path.name} for ${input.pattern}` };
    },
    async execute(input, context) {
      const { path, gate } = await workspace.judgeAgain(input, input.path ?? ".", context);
      const pattern = compileSearch(input.pattern);
      const includes = input.include === undefined ? () => true : compileGlob(input.include, "include");
      const place = await searchPlace(path, gate.root);
      const walk = await filesOf(path, place, { signal: context.abortSignal });
      const files = walk.files.filter((file) => includes(belowStart(file, place)) && !isSecret(file, place, gate));
      const candidates = ripgrep === false || pattern.ripgrep === undefined ? undefined : await matchingFiles({ program: ripgrep, pattern: pattern.ripgrep, files, base: place.base, signal: context.abortSignal }, maxLines + 1);
      const findings = await searchFiles(pattern.regexp, candidates ?? files, place.base, { maxLines, signal: context.abortSignal });
      const output = render(findings, walk.isCut, place);
      return { ...fileResult(path, { output, matches: findings.lines.length, truncated: findings.isCut || walk.isCut }), title: input.pattern };
    },
  });
}

function isSecret(file: string, { base }: SearchPlace, gate: PathGate): boolean {
  return gate.isSecret(withSlashes(join(base, file)));
}

function render({ lines, isCut }: Findings, isWalkCut: boolean, place: SearchPlace): string {
  const notes = [...(isCut ? [`(There are more; these are the first ${maxLines}. Use a narrower pattern, path or include.)`] : []), ...(isWalkCut ? ["(There are too many files to look at all. Give a path.)"] : [])];
  if (lines.length === 0) return ["No line matches.", ...notes].join("\n");
  const byFile = new Map<string, FoundLine[]>();
  for (const line of lines) byFile.set(line.file, [...(byFile.get(line.file) ?? []), line]);
  const blocks = [...byFile].map(([file, found]) => [`${place.nameOf(file)}:`, ...found.map(({ line, text }) => `  ${line}: ${text}`)].join("\n"));
  return [...blocks, ...notes].join("\n\n");
}
