import { dataURL } from "../../util/data-url.ts";
import { versionOf, type FileVersion } from "./files/file-versions.ts";
import { describeEntry, readEntries } from "./files/list-entries.ts";
import type { LineRange } from "./files/line-page.ts";
import { missingFileError } from "./files/missing-file.ts";
import { isLarge, pageOf, pageOfLarge, type FilePage } from "./files/read-page.ts";
import { maxWholeBytes, readBytes } from "./files/read-whole.ts";
import { sniffAttachment } from "./files/sniff-attachment.ts";
import { isBinary, isUTF16 } from "./files/text-content.ts";
import { fileResult, type FileResult } from "./file-result.ts";
import type { JudgedPath } from "./paths/judged-path.ts";
import { openJudged } from "./paths/open-judged.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";

/** Lines of a page, unless it is said how many. */
export const defaultLines = 2_000;

/**
 * Reads what stands at a judged path, in the form that models get it: a text with line numbers, a directory's entries, an image
 * or a PDF as an attachment.
 *
 * @param onVersion - hears which version of a text was read
 * @throws {PathRefusedError} nothing is there, or it is no text
 */
export async function readPath(path: JudgedPath, range: LineRange, onVersion: (version: FileVersion) => void = () => undefined): Promise<FileResult> {
  if (path.kind === "missing") throw await missingFileError(path);
  return path.kind === "directory" ? readDirectory(path, range) : readFile(path, range, onVersion);
}

async function readDirectory(path: JudgedPath, { offset, limit }: LineRange): Promise<FileResult> {
  const entries = await readEntries(path.real);
  const page = entries.slice(offset - 1, offset - 1 + limit);
  const shown = await Promise.all(page.map((entry) => describeEntry(entry, path.real)));
  const rest = entries.length - (offset - 1 + page.length);
  const end = rest > 0 ? `(${rest} more entries: read on with offset ${offset + page.length}.)` : `(${entries.length} entries.)`;
  return fileResult(path, { output: render(path, "directory", [...shown, "", end]), truncated: rest > 0 });
}

async function readFile(path: JudgedPath, range: LineRange, onVersion: (version: FileVersion) => void): Promise<FileResult> {
  const handle = await openJudged(path);
  try {
    const stats = await handle.stat({ bigint: true });
    if (isLarge(stats.size)) {
      const page = await pageOfLarge(handle, range);
      if (page === "binary") throw binaryError(path, stats.size);
      onVersion(versionOf(stats));
      return textResult(path, page, range);
    }
    const bytes = await readBytes(handle, maxWholeBytes);
    const mime = sniffAttachment(bytes);
    if (mime !== undefined) return attachment(path, bytes, mime);
    if (!isUTF16(bytes) && isBinary(bytes)) throw binaryError(path, stats.size);
    onVersion(versionOf(stats, bytes));
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
