import type { Message } from "../../message/message.ts";
import { StorageError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { ColdRows, MessageRows } from "../memory/cold-rows.ts";
import type { Entry } from "../memory/table.ts";
import type { PlacedMessage } from "../memory/transcript.ts";
import type { Artifact, Damage } from "../storage.ts";
import { readRange, withFile } from "./durable-file.ts";
import { decodeFrame } from "./frame.ts";
import type { ArchivedArtifact, ArchivedMessage, RowLine } from "./log-line.ts";

/** What an archive holds, and where. */
export interface ArchiveContent {
  /** Its path; no archive, no rows. */
  path: string | undefined;
  /** Nothing in it was written after this. */
  seq: number;
  messages: readonly ArchivedMessage[];
  artifacts: readonly ArchivedArtifact[];
}

/** The old rows of a session, in a file of their own: read one by one, when somebody asks. */
export class Archive implements ColdRows {
  readonly path: string | undefined;
  readonly seq: number;
  readonly #messages = new Map<string, ArchivedMessage>();
  readonly #artifacts = new Map<string, ArchivedArtifact>();
  readonly #onDamage: (damage: Omit<Damage, "sessionID">) => void;

  constructor(content: ArchiveContent, onDamage: (damage: Omit<Damage, "sessionID">) => void) {
    this.path = content.path;
    this.seq = content.seq;
    for (const message of content.messages) this.#messages.set(message[0], message);
    for (const artifact of content.artifacts) this.#artifacts.set(artifact[0], artifact);
    this.#onDamage = onDamage;
  }

  places(): PlacedMessage[] {
    return [...this.#messages.values()].map(([messageID, position]) => ({ messageID, position }));
  }

  /** Where a message stands here. */
  archivedMessage(messageID: string): ArchivedMessage | undefined {
    return this.#messages.get(messageID);
  }

  archivedArtifact(artifactID: string): ArchivedArtifact | undefined {
    return this.#artifacts.get(artifactID);
  }

  archivedMessages(): Iterable<ArchivedMessage> {
    return this.#messages.values();
  }

  archivedArtifacts(): Iterable<ArchivedArtifact> {
    return this.#artifacts.values();
  }

  message(messageID: string): MessageRows | undefined {
    const found = this.#messages.get(messageID);
    if (found === undefined) return undefined;
    const line = this.#read("message", messageID, found[2], found[3]);
    if (line === undefined) this.#messages.delete(messageID);
    return line === undefined ? undefined : messageRows(line);
  }

  artifact(artifactID: string): Entry<Artifact> | undefined {
    const found = this.#artifacts.get(artifactID);
    if (found === undefined) return undefined;
    const line = this.#read("artifact", artifactID, found[1], found[2]);
    if (line === undefined) this.#artifacts.delete(artifactID);
    return line === undefined ? undefined : rowEntry<Artifact>(line);
  }

  #read(record: "message" | "artifact", id: string, start: number, length: number): RowLine | undefined {
    const decoded = decodeFrame(this.readLine(start, length), 0);
    const line = decoded === undefined ? undefined : (JSON.parse(decoded.frame.json) as RowLine); // a frame's checksum says that we wrote it
    if (line?.row === record && line.key === id) return line;
    this.#onDamage({ record, id, where: `${this.path ?? ""}, byte ${start}`, reason: "The line is damaged." });
    return undefined;
  }

  readLine(start: number, length: number): Buffer {
    const path = this.path;
    if (path === undefined) return Buffer.alloc(0);
    try {
      return withFile(path, "r", (file) => readRange(file, start, start + length));
    } catch (error) {
      throw new StorageError(`The archive "${path}" cannot be read.`, error);
    }
  }
}

/** The rows of a message, as a line has them. */
export function messageRows(line: RowLine): MessageRows {
  const parts = (line.parts ?? []).map(([key, seq, position, row]) => ({ key, seq, position, row: deepFreeze(row) ?? undefined }));
  return { entry: rowEntry<Message>(line), place: line.place, parts };
}

/** @typeParam T what the line's `row` stands for: only our own lines have a checksum that fits */
export function rowEntry<T>({ key, seq, at, value }: RowLine): Entry<T> {
  return { key, seq, position: at, row: (deepFreeze(value) ?? undefined) as T | undefined };
}
