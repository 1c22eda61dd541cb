import { unifiedDiff, type FileDiff } from "./edit/unified-diff.ts";
import type { FileVersions } from "./files/file-versions.ts";
import { versionOf } from "./files/file-versions.ts";
import { maxWholeBytes, readWhole } from "./files/read-whole.ts";
import { decodeText, encodeText, lineEndingOf, withLineEnding } from "./files/text-content.ts";
import { isLarge } from "./files/read-page.ts";
import type { JudgedPath } from "./paths/judged-path.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";

/** A change of a file that can be made: what it will hold, and how that differs. */
export interface PlannedChange extends FileDiff {
  bytes: Uint8Array;
  /** What people are told, e.g. `Changes src/a.ts: +1 −1`. */
  impact: string;
}

/** Longer texts are compared by nobody, and their diff is not stored. */
const maxDiffLength = 500_000;

/** A repository's own folder: what is written there runs as a hook, or breaks the history. */
const repositoryFolder = /(^|\/)\.git(\/|$)/i;

/** @throws {PathRefusedError} */
export function refuseUnwritable(path: JudgedPath): void {
  const { name, real, kind } = path;
  if (kind === "directory") throw new PathRefusedError(`${name} is a directory. Give the path of a file.`);
  if (repositoryFolder.test(real.replaceAll("\\", "/"))) throw new PathRefusedError(`${name} belongs to git itself, so file tools do not write it. Use git's own commands.`);
}

/**
 * Plans to give a file a new content. Line endings and byte order mark of what is there are kept.
 *
 * @throws {PathRefusedError} the session has not read what is there, or it cannot be replaced
 */
export async function planContent(path: JudgedPath, content: string, sessionID: string, versions: FileVersions): Promise<PlannedChange> {
  refuseUnwritable(path);
  if (path.stats === undefined) return change(path, { text: "", hasMark: false }, content);
  // Too large to be compared: it is replaced as a whole.
  if (isLarge(path.stats.size)) {
    versions.refuseUnread(sessionID, path, versionOf(path.stats));
    return { bytes: new TextEncoder().encode(content), diff: "", additions: 0, deletions: 0, impact: `Replaces all of ${path.name}, ${path.stats.size} bytes` };
  }
  const { bytes, stats } = await readWhole(path);
  // First whether it is a text: who is told to read an image first would read it for ever.
  const before = decodeText(bytes, path.name);
  versions.refuseUnread(sessionID, path, versionOf(stats, bytes));
  return change(path, before, before.text === "" ? content : withLineEnding(content, lineEndingOf(before.text)));
}

/**
 * Plans to change a part of a file's text.
 *
 * @param edit - gives the new text, or throws why it cannot
 * @throws {PathRefusedError} the session has not read the file, or it is no text
 */
export async function planEdit(path: JudgedPath, edit: (text: string) => string, sessionID: string, versions: FileVersions): Promise<PlannedChange> {
  refuseUnwritable(path);
  const { bytes, stats } = await readWhole(path);
  // First whether it is a text: who is told to read an image first would read it for ever.
  const before = decodeText(bytes, path.name);
  versions.refuseUnread(sessionID, path, versionOf(stats, bytes));
  return change(path, before, edit(before.text));
}

function change(path: JudgedPath, before: { text: string; hasMark: boolean }, text: string): PlannedChange {
  const bytes = encodeText({ text, hasMark: before.hasMark });
  if (bytes.length > maxWholeBytes && path.kind === "file") return { bytes, diff: "", additions: 0, deletions: 0, impact: `Changes ${path.name} to ${bytes.length} bytes` };
  const isComparable = before.text.length + text.length <= maxDiffLength;
  const compared = isComparable ? unifiedDiff(path.name, before.text, text) : { diff: "", additions: 0, deletions: 0 };
  const verb = path.kind === "missing" ? "Creates" : "Changes";
  return { bytes, ...compared, impact: isComparable ? `${verb} ${path.name}: +${compared.additions} −${compared.deletions} lines` : `${verb} ${path.name}: ${bytes.length} bytes` };
}
