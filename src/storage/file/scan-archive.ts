import { readFileSync } from "node:fs";
import type { Message } from "../../message/message.ts";
import type { ArchiveContent } from "./archive.ts";
import { hasCode } from "./durable-file.ts";
import { scanFrames } from "./frame.ts";
import type { ArchivedArtifact, ArchivedMessage, RowLine } from "./log-line.ts";

/** What an archive holds, by reading all of it: of a row that is there twice, the newer one. */
export function scanArchive(path: string, seq: number): Omit<ArchiveContent, "path"> {
  const messages = new Map<string, ArchivedMessage>();
  const artifacts = new Map<string, ArchivedArtifact>();
  scanFrames(readOrNothing(path), ({ start, end, frame }) => {
    if (frame === undefined) return;
    const line = JSON.parse(frame.json) as RowLine; // a frame's checksum says that we wrote it
    const place = line.row === "message" ? (line.value as Message | null)?.position : undefined;
    if (place !== undefined) messages.set(line.key, [line.key, place, start, end - start]);
    if (line.row === "artifact") artifacts.set(line.key, [line.key, start, end - start]);
  });
  return { seq, messages: [...messages.values()].sort((a, b) => a[1] - b[1]), artifacts: [...artifacts.values()] };
}

function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return Buffer.alloc(0);
    throw error;
  }
}
