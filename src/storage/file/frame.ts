import { crc32 } from "node:zlib";

/**
 * One line of a file: `<crc32> <length> <seq> <changed> <sessionAt> <JSON>`. The length counts the bytes behind itself and
 * the checksum covers them, so that whatever a crash or a bad disk left behind is told from a line that was written.
 */
export interface FrameHead {
  /** The session's `seq` after this line. */
  seq: number;
  /** Which commit of the whole store this was. */
  changed: number;
  /** Where in the file the line with the newest session row starts; -1 when there is no session. */
  sessionAt: number;
}

export interface Frame extends FrameHead {
  json: string;
}

/** What a file consists of. `end` is where the next piece starts. */
export type Piece = { start: number; end: number } & ({ frame: Frame } | { frame?: undefined });

const newline = 0x0a;
const headPattern = /^([0-9a-f]{8}) ([1-9][0-9]{0,9}) /;
const longestHead = 20;

/** The line, with its newline. */
export function encodeFrame({ seq, changed, sessionAt }: FrameHead, json: string): string {
  const body = `${seq} ${changed} ${sessionAt} ${json}`;
  return `${crc32(body).toString(16).padStart(8, "0")} ${Buffer.byteLength(body)} ${body}\n`;
}

/** The frame that starts at an offset, if there is a whole and undamaged one. */
export function decodeFrame(bytes: Buffer, start: number): { frame: Frame; end: number } | undefined {
  const head = headPattern.exec(bytes.toString("latin1", start, start + longestHead));
  if (head === null) return undefined;
  const bodyStart = start + head[0].length;
  const bodyEnd = bodyStart + Number(head[2]);
  if (bodyEnd > bytes.length) return undefined;
  const body = bytes.subarray(bodyStart, bodyEnd);
  if (crc32(body) !== parseInt(head[1] ?? "", 16)) return undefined;
  const fields = /^(\d+) (\d+) (-?\d+) /.exec(body.toString("latin1", 0, 64));
  if (fields === null) return undefined;
  const json = body.toString("utf8", fields[0].length);
  return { frame: { seq: Number(fields[1]), changed: Number(fields[2]), sessionAt: Number(fields[3]), json }, end: bodyEnd };
}

/**
 * Takes bytes apart into frames and damaged pieces. What stands at the end without a newline is left: somebody may be
 * writing it.
 *
 * @returns how far the bytes were understood
 */
export function scanFrames(bytes: Buffer, visit: (piece: Piece) => void): number {
  let start = 0;
  while (start < bytes.length) {
    if (bytes[start] === newline) {
      start += 1;
      continue;
    }
    const decoded = decodeFrame(bytes, start);
    // One byte behind a frame is its newline, also when that was damaged: the next frame is not.
    const lineEnd = decoded?.end ?? bytes.indexOf(newline, start);
    if (lineEnd === -1) return start;
    const end = Math.min(lineEnd + 1, bytes.length);
    visit(decoded === undefined ? { start, end } : { start, end, frame: decoded.frame });
    start = end;
  }
  return start;
}
