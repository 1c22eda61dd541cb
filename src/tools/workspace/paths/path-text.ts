import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PathRefusedError } from "./path-refused-error.ts";

/**
 * The path that a model means, absolute but not yet resolved: `..` and links are left for the walk, as only the file
 * system knows where they lead.
 *
 * @param base - what a relative path is relative to
 * @param platform - as `process.platform` names it
 * @throws {PathRefusedError} it cannot be a path here
 */
export function absolutePath(text: string, base: string, platform: NodeJS.Platform): string {
  if (text.trim() === "") throw new PathRefusedError('The path is empty. Give one relative to the workspace, e.g. "src/index.ts", or "." for the workspace itself.');
  if (text.includes("\0")) throw new PathRefusedError("The path contains a NUL character, and no file can be named so. Give the path without it.");
  const path = fromURL(text);
  const refusal = platform === "win32" ? refusalOnWindows(path) : refusalElsewhere(path);
  if (refusal !== undefined) throw new PathRefusedError(`${JSON.stringify(path)} ${refusal}`);
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : `${base}/${path}`;
}

function fromURL(text: string): string {
  if (!/^file:\/\//i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    throw new PathRefusedError(`${JSON.stringify(text)} is a URL that names no file of this machine. Give a path such as "src/index.ts".`);
  }
}

function refusalElsewhere(path: string): string | undefined {
  if (/^[a-z]:[\\/]/i.test(path) || path.startsWith("\\\\")) return 'is a path of Windows. Paths here use "/" and are relative to the workspace, e.g. "src/index.ts".';
  return undefined;
}

/** Names of devices, with any extension, in any folder: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

function refusalOnWindows(path: string): string | undefined {
  if (/^[\\/]{2}/.test(path)) return "is a path of another machine or a device. Give a path relative to the workspace.";
  const afterDrive = path.replace(/^[a-z]:/i, "");
  if (afterDrive !== path && !/^[\\/]/.test(afterDrive)) return "is relative to a drive. Give a path relative to the workspace.";
  if (afterDrive.includes(":")) return "contains a colon, which names a hidden stream of a file. Give the path without it.";
  const names = afterDrive.split(/[\\/]/);
  if (names.some((name) => deviceName.test(name.trim()))) return "names a device of Windows, and no file. Choose another name.";
  // Windows drops these, so that the name judged would not be the name used.
  if (names.some((name) => /[. ]$/.test(name) && !/^\.{1,2}$/.test(name))) return "has a name that ends in a dot or a space. Give the name without it.";
  return undefined;
}
