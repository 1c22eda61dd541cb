import { PathRefusedError } from "../paths/path-refused-error.ts";

/** The text of a file, and what is not seen in it. */
export interface TextContent {
  text: string;
  /** It begins with a byte order mark, which is no part of the text. */
  hasMark: boolean;
}

const mark = Uint8Array.of(0xef, 0xbb, 0xbf);

/** How much of a file tells whether it is text. */
const probedBytes = 8_192;

/** The share of control characters from which on it is none. */
const maxControlShare = 0.3;

/** Whether it looks like no text: a NUL, or many control characters, at its beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, probedBytes);
  let controls = 0;
  for (const byte of probe) {
    if (byte === 0) return true;
    // Tab, line feed, form feed, carriage return, escape and backspace stand in texts.
    if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) controls += 1;
  }
  return controls > probe.length * maxControlShare;
}

/** Whether it is UTF-16, by its byte order mark: text, but of another encoding. */
export function isUTF16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/**
 * Decodes a text that is to be changed.
 *
 * @throws {PathRefusedError} it is binary, or not UTF-8: what cannot be decoded would be lost when it is written back
 */
export function decodeText(bytes: Uint8Array, name: string): TextContent {
  if (isUTF16(bytes)) throw new PathRefusedError(`${name} is encoded as UTF-16, and this tool changes UTF-8 only. Convert it first, e.g. with iconv.`);
  if (isBinary(bytes)) throw new PathRefusedError(`${name} is a binary file, which this tool does not change.`);
  const hasMark = hasByteOrderMark(bytes);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(hasMark ? bytes.subarray(mark.length) : bytes);
    return { text, hasMark };
  } catch {
    throw new PathRefusedError(`${name} is not encoded as UTF-8, and this tool would damage it. Convert it first, e.g. with iconv.`);
  }
}

export function encodeText({ text, hasMark }: TextContent): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return hasMark ? Buffer.concat([mark, bytes]) : bytes;
}

/** The line ending that a text uses most; `\n` when it has none. */
export function lineEndingOf(text: string): "\n" | "\r\n" {
  let windows = 0;
  let all = 0;
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) {
    all += 1;
    if (text[index - 1] === "\r") windows += 1;
  }
  return windows * 2 > all ? "\r\n" : "\n";
}

/** The text with its line endings as that file has them. */
export function withLineEnding(text: string, ending: "\n" | "\r\n"): string {
  const plain = text.replaceAll("\r\n", "\n");
  return ending === "\n" ? plain : plain.replaceAll("\n", ending);
}
