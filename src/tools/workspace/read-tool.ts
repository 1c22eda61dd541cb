import { dataURL } from "../../util/data-url.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { versionOf } from "./files/file-versions.ts";
import { describeEntry, readEntries } from "./files/list-entries.ts";
import type { LineRange } from "./files/line-page.ts";
import { missingFileError } from "./files/missing-file.ts";
import { isLarge, pageOf, pageOfLarge, type FilePage } from "./files/read-page.ts";
import { maxWholeBytes, readBytes } from "./files/read-whole.ts";
import { sniffAttachment } from "./files/sniff-attachment.ts";
import { isBinary, isUTF16 } from "./files/text-content.ts";
import { fileResult, type FileResult } from "./file-result.ts";
import { describePath, type JudgedPath } from "./paths/judged-path.ts";
import { openJudged } from "./paths/open-judged.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { leaveFor, type Workspace } from "./workspace.ts";

export interface ReadInput {
  filePath: string;
  offset?: number | undefined;
  limit?: number | undefined;
}

const defaultLines = 2_000;

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
    readOnly: true,
    idempotent: true,
    retry: 0,
    timeoutMs: 30_000,
    defaultAction: "allow",
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.filePath, context);
      return { ...leaveFor("read", path), title: `Read ${describePath(path)}` };
    },
    async execute(input, context) {
      const { path } = await workspace.judgeAgain(input, input.filePath, context);
      const range = { offset: input.offset ?? 1, limit: input.limit ?? defaultLines };
      if (path.kind === "missing") throw await missingFileError(path);
      return path.kind === "directory" ? readDirectory(path, range) : readFile(path, range, { workspace, sessionID: context.sessionID });
    },
    onSessionRemoved: ({ sessionID }) => workspace.versions.forget(sessionID),
    examples: [{ filePath: "README.md" }],
  });
}

async function readDirectory(path: JudgedPath, { offset, limit }: LineRange): Promise<FileResult> {
  const entries = await readEntries(path.real);
  const page = entries.slice(offset - 1, offset - 1 + limit);
  const shown = await Promise.all(page.map((entry) => describeEntry(entry, path.real)));
  const rest = entries.length - (offset - 1 + page.length);
  const end = rest > 0 ? `(${rest} more entries: read on with offset ${offset + page.length}.)` : `(${entries.length} entries.)`;
  return fileResult(path, { output: render(path, "directory", [...shown, "", end]), truncated: rest > 0 });
}

async function readFile(path: JudgedPath, range: LineRange, { workspace, sessionID }: { workspace: Workspace; sessionID: string }): Promise<FileResult> {
  const handle = await openJudged(path);
  try {
    const stats = await handle.stat({ bigint: true });
    if (isLarge(stats.size)) {
      const page = await pageOfLarge(handle, range);
      if (page === "binary") throw binaryError(path, stats.size);
      workspace.versions.note(sessionID, path.real, versionOf(stats));
      return textResult(path, page, range);
    }
    const bytes = await readBytes(handle, maxWholeBytes);
    const mime = sniffAttachment(bytes);
    if (mime !== undefined) return attachment(path, bytes, mime);
    if (!isUTF16(bytes) && isBinary(bytes)) throw binaryError(path, stats.size);
    workspace.versions.note(sessionID, path.real, versionOf(stats, bytes));
    return textResult(path, pageOf(bytes, range), range);
  } finally {
    await handle.close();
  }
}

function textResult(path: JudgedPath, { lines, total, last }: FilePage, { offset }: LineRange): FileResult {
  if (total === 0) return fileResult(path, { output: render(path, "file", ["(The file is empty.)"]), truncated: false });
  if (lines.length === 0) throw new PathRefusedError(`offset ${offset} is behind the end of ${path.name}, which has ${total ?? "fewer"} lines. Give a smaller one.`);
  const isAll = total === last;
  const end = isAll ? `(End of file: ${total} lines.)` : `(Lines ${offset} to ${last}${total === undefined ? "" : ` of ${total}`}. Read on with offset ${last + 1}.)`;
  return fileResult(path, { output: render(path, "file", [...lines, "", end]), truncated: !isAll });
}

function attachment(path: JudgedPath, bytes: Uint8Array, mime: string): FileResult {
  const output = `${path.name} is shown to you: ${mime}, ${bytes.length} bytes.`;
  return { ...fileResult(path, { output, truncated: false }), attachments: [{ mime, filename: path.name.slice(path.name.lastIndexOf("/") + 1), url: dataURL(mime, bytes) }] };
}

function binaryError({ name }: JudgedPath, size: bigint): PathRefusedError {
  return new PathRefusedError(`${name} is a binary file of ${size} bytes, which cannot be read as text. Look at it by a command, e.g. file or strings.`);
}

function render({ name }: JudgedPath, type: "file" | "directory", lines: readonly string[]): string {
  return [`<path>${name}</path>`, `<type>${type}</type>`, "<content>", ...lines, "</content>"].join("\n");
}
