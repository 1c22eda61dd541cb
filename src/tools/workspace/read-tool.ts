import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import type { FileResult } from "./file-result.ts";
import { lookingTool } from "./looking-tool.ts";
import { describePath } from "./paths/judged-path.ts";
import { defaultLines, readPath } from "./read-path.ts";
import { leaveFor, type Workspace } from "./workspace.ts";

export interface ReadInput {
  filePath: string;
  offset?: number | undefined;
  limit?: number | undefined;
}

const description = `Reads a file or a directory of the workspace. Use it before you change a file, and to look at one whose path you know; use grep or glob to find one.

- filePath: relative to the workspace, or absolute.
- offset: the first line to read, from 1. limit: how many lines, by default ${defaultLines}. Leave both out unless the file is long.
- A text comes back with line numbers ("12: const a = 1"), which are no part of it; lines of more than 2,000 characters are cut, and a page ends at about 44 kB: the answer says with which offset to read on.
- Images (PNG, JPEG, GIF, WebP) and PDF files are shown to you. Other binary files are refused. Of a directory you get the entries, directories with "/".

Example: {"filePath": "src/index.ts", "offset": 200, "limit": 100}`;

/** `read`: a text with line numbers, a directory's entries, an image or a PDF. */
export function createReadTool(workspace: Workspace): Tool<ReadInput, FileResult> {
  return defineTool<ReadInput, FileResult>({
    title: "Read",
    description,
    input: {
      type: "object",
      properties: {
        filePath: { type: "string", description: "Path of the file or directory" },
        offset: { type: "integer", minimum: 1, description: "First line to read, from 1" },
        limit: { type: "integer", minimum: 1, description: `Most lines to read. Default ${defaultLines}` },
      },
      required: ["filePath"],
      additionalProperties: false,
    },
    ...lookingTool,
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.filePath, context);
      return { ...leaveFor("read", path), title: `Read ${describePath(path)}` };
    },
    async execute(input, context) {
      const { path } = await workspace.judgeAgain(input, input.filePath, context);
      const range = { offset: input.offset ?? 1, limit: input.limit ?? defaultLines };
      return readPath(path, range, (version) => workspace.versions.note(context.sessionID, path.real, version));
    },
    onSessionRemoved: ({ sessionID }) => workspace.versions.forget(sessionID),
    examples: [{ filePath: "README.md" }],
  });
}
