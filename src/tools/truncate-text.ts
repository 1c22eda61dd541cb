/** How much of an output a model is shown. What is not set does not limit. */
export interface TextLimits {
  maxLines?: number | undefined;
  /** Of UTF-8. */
  maxBytes?: number | undefined;
  /** In UTF-16 code units, as a JavaScript string counts. */
  maxChars?: number | undefined;
}

/** What a text came to. */
export interface TruncatedText {
  text: string;
  /** Of the whole text. */
  totals: TextTotals;
}

export interface TextTotals {
  chars: number;
  bytes: number;
  lines: number;
}

/** What of a text is left out, in UTF-16 code units from its start. */
export interface Gap {
  start: number;
  end: number;
}

/**
 * Keeps the beginning and the end of a text that is too large, in equal parts, and puts a notice between them. No character
 * is split; where a line ends near a cut, it is made there. With the notice it is within the limits, unless these are
 * smaller than that.
 *
 * @param notice says what was left out, for whoever reads the text
 * @returns `undefined` for a text that fits
 */
export function truncateText(text: string, limits: TextLimits, notice: (gap: Gap, totals: TextTotals) => string): TruncatedText | undefined {
  if (fitsSurely(text, limits)) return undefined;
  const totals: TextTotals = { chars: text.length, bytes: byteLength(text), lines: countLines(text) };
  if (fits(totals, limits)) return undefined;
  // As long as it can get: the real one names no greater numbers.
  const longest = `\n\n${notice({ start: text.length, end: text.length }, totals)}\n\n`;
  const half = halfOf(limits, { chars: longest.length, bytes: byteLength(longest), lines: countLines(longest) });
  const start = atLineEnd(text, headEnd(text, half));
  const end = atLineStart(text, Math.max(start, tailStart(text, half)));
  return { text: `${text.slice(0, start)}\n\n${notice({ start, end }, totals)}\n\n${text.slice(end)}`, totals };
}

/** Cheap, and true of most outputs. */
function fitsSurely({ length }: string, { maxLines = Infinity, maxBytes = Infinity, maxChars = Infinity }: TextLimits): boolean {
  return length < maxLines && length * 3 <= maxBytes && length <= maxChars;
}

function fits({ chars, bytes, lines }: TextTotals, { maxLines = Infinity, maxBytes = Infinity, maxChars = Infinity }: TextLimits): boolean {
  return chars <= maxChars && bytes <= maxBytes && lines <= maxLines;
}

type Half = Required<{ [Limit in keyof TextLimits]: number }>;

/** What the beginning and the end may have each. */
function halfOf({ maxLines = Infinity, maxBytes = Infinity, maxChars = Infinity }: TextLimits, notice: TextTotals): Half {
  const half = (limit: number, taken: number): number => Math.max(1, Math.floor(Math.max(limit - taken, limit / 2) / 2));
  return { maxLines: half(maxLines, notice.lines), maxBytes: half(maxBytes, notice.bytes), maxChars: half(maxChars, notice.chars) };
}

function headEnd(text: string, { maxLines, maxBytes, maxChars }: Half): number {
  let index = 0;
  let bytes = 0;
  let lines = 1;
  while (index < text.length) {
    const code = text.codePointAt(index) ?? 0;
    bytes += bytesOf(code);
    if (code === lineFeed) lines += 1;
    const next = index + (code > 0xffff ? 2 : 1);
    if (bytes > maxBytes || next > maxChars || lines > maxLines) break;
    index = next;
  }
  return index;
}

function tailStart(text: string, { maxLines, maxBytes, maxChars }: Half): number {
  let index = text.length;
  let bytes = 0;
  // What ends with a line feed has no line behind it.
  let lines = text.endsWith("\n") ? 0 : 1;
  while (index > 0) {
    const width = isPair(text, index - 2) ? 2 : 1;
    const code = text.codePointAt(index - width) ?? 0;
    bytes += bytesOf(code);
    if (code === lineFeed) lines += 1;
    if (bytes > maxBytes || text.length - (index - width) > maxChars || lines > maxLines) break;
    index -= width;
  }
  return index;
}

const lineFeed = 10;

function isPair(text: string, index: number): boolean {
  return index >= 0 && (text.codePointAt(index) ?? 0) > 0xffff;
}

/** Back to behind the last line end, unless that would cost half of it. */
function atLineEnd(text: string, end: number): number {
  const lineEnd = text.lastIndexOf("\n", end - 1) + 1;
  return lineEnd > end / 2 ? lineEnd : end;
}

/** On to behind the next line end, unless that would cost half of it. */
function atLineStart(text: string, start: number): number {
  if (start === 0 || text[start - 1] === "\n") return start;
  const lineStart = text.indexOf("\n", start) + 1;
  return lineStart > 0 && lineStart < start + (text.length - start) / 2 ? lineStart : start;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** Length of the text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Each half of a pair has two of its four bytes.
    bytes += code >= 0xd800 && code <= 0xdfff ? 2 : bytesOf(code);
  }
  return bytes;
}

/** A line feed at the end begins no further line. */
export function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) lines += 1;
  return lines;
}
