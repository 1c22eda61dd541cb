import { createHash } from "node:crypto";

const plain = /^[a-z0-9_-]$/;
/** With the longest ending, this stays below the 255 bytes that file systems allow. */
const longestName = 160;

/**
 * The name of a session's files, without ending: made of letters that no file system treats specially, and different for
 * any two ids, also where names are compared without regard to case. A long id is hashed.
 */
export function fileNameOf(sessionID: string): string {
  let name = "s-";
  for (let index = 0; index < sessionID.length; index += 1) {
    name += encodeUnit(sessionID.charAt(index), sessionID.charCodeAt(index));
    // The units themselves, as lone surrogates have no other encoding.
    if (name.length > longestName) return `h-${createHash("sha256").update(sessionID, "utf16le").digest("hex")}`;
  }
  return name;
}

/** The session that a file belongs to, unless its id was hashed. */
export function sessionIDOf(name: string): string | undefined {
  if (!name.startsWith("s-")) return undefined;
  const id = name.slice(2).replace(/~u([0-9a-f]{4})|~([0-9a-f]{2})/g, (_, wide?: string, narrow?: string) => String.fromCharCode(parseInt(wide ?? narrow ?? "", 16)));
  return fileNameOf(id) === name ? id : undefined;
}

function encodeUnit(letter: string, unit: number): string {
  if (plain.test(letter)) return letter;
  return unit < 256 ? `~${unit.toString(16).padStart(2, "0")}` : `~u${unit.toString(16).padStart(4, "0")}`;
}
