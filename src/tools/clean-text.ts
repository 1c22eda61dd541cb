import type { JSONSafe } from "../util/json-safe.ts";

/** Whatever may have to go: controls but tab and line feed, and carriage returns that end no line. */
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const suspicious = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** ECMA-48: CSI, OSC and the other string sequences, two-character escapes; each also when it is cut at the end of the text. */
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const escapes = /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]?/g;

// eslint-disable-next-line no-control-regex -- control characters are what this is about
const erasures = /(?:\u001b\[|\u009b)[02]?K/g;

/** What is left of the characters that begin or end a sequence. */
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const strays = /[\u0007\u001b\u0090-\u009f]/g;

const eraseMark = "\u0000";

/** Neither those that the other patterns are about, nor those that a line keeps or that move on it. */
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const controls = /[\u0000-\u0006\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u008f\u0091-\u0097\u0099\u009a]/g;

/**
 * Text as a terminal would have left it on its screen: without escape sequences, with what was overwritten by carriage
 * returns and backspaces gone, without other control characters. Ends of lines stay as they are. In linear time: it comes
 * from programs.
 */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  // The mark of an erased rest of a line stands for the sequence: it is a control character, and all others of it are gone.
  const plain = text.replace(controls, "").replace(erasures, eraseMark).replace(escapes, "").replace(strays, "");
  return /[\r\b]/.test(plain) ? plain.split("\n").map(settleLine).join("\n") : plain.replaceAll(eraseMark, "");
}

/** The same for every text in a value. */
export function cleanJSON(value: JSONSafe): JSONSafe {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJSON);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJSON(inner)]));
}

/** What stands in the line after its carriage returns and backspaces. */
function settleLine(line: string): string {
  const end = line.endsWith("\r") ? "\r" : "";
  const text = end === "" ? line : line.slice(0, -1);
  const cells: string[] = [];
  let place = 0;
  for (const character of text) {
    if (character === "\r") place = 0;
    else if (character === "\b") place = Math.max(0, place - 1);
    else if (character === eraseMark) cells.length = place;
    else cells[place++] = character;
  }
  return cells.join("") + end;
}
