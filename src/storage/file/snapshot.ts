import type { Message } from "../../message/message.ts";
import type { SessionRecord } from "../memory/session-record.ts";
import type { Entry } from "../memory/table.ts";
import type { Archive } from "./archive.ts";
import type { ArchivedArtifact, ArchivedMessage, HeaderLine, IndexLine, PartCell, RowLine } from "./log-line.ts";

/** The rows of a session as lines of JSON, apart from those that stand in its archive and have not changed. */
export interface SnapshotRows {
  session: string;
  /** Asks, aborts, tombstones: what stays in the log. */
  others: string[];
  /** In order of creation. */
  messages: MessageLine[];
  artifacts: ArtifactLine[];
  /** What the archive has already. */
  keptMessages: ArchivedMessage[];
  keptArtifacts: ArchivedArtifact[];
}

export interface MessageLine {
  id: string;
  /** Absent for what is not in the transcript. */
  position: number | undefined;
  json: string;
}

export interface ArtifactLine {
  id: string;
  json: string;
}

export function snapshotRows(record: SessionRecord, archive: Archive | undefined): SnapshotRows {
  const touched = new Set<string>();
  const messages: MessageLine[] = [];
  for (const entry of record.messages.entries()) {
    const parts = record.partEntries(entry.key);
    if (archive?.archivedMessage(entry.key) !== undefined && isOlder(archive.seq, entry, ...parts)) continue;
    touched.add(entry.key);
    messages.push({ id: entry.key, position: entry.row?.position, json: messageLine(record, entry) });
  }
  const artifacts = [...record.artifacts.entries()].filter(
    (entry) => archive?.archivedArtifact(entry.key) === undefined || !isOlder(archive.seq, entry),
  );
  const rewritten = new Set(artifacts.map(({ key }) => key));
  return {
    session: [...record.info.entries()].map((entry) => rowLine("session", entry)).join(""),
    others: [
      ...[...record.asks.entries()].map((entry) => rowLine("ask", entry)),
      ...[...record.aborts.entries()].map((entry) => rowLine("abort", entry)),
    ],
    messages,
    artifacts: artifacts.map((entry) => ({ id: entry.key, json: rowLine("artifact", entry) })),
    keptMessages: [...(archive?.archivedMessages() ?? [])].filter(([id]) => !touched.has(id)),
    keptArtifacts: [...(archive?.archivedArtifacts() ?? [])].filter(([id]) => !rewritten.has(id)),
  };
}

export function headerLine({ id, parentID, rootID }: Pick<SessionRecord, "id" | "parentID" | "rootID">, archive?: string): string {
  const line: HeaderLine = { log: 1, id, ...(parentID !== undefined && { parentID }), rootID, ...(archive !== undefined && { archive }) };
  return JSON.stringify(line);
}

export function deletedLine({ id, parentID, rootID }: Pick<SessionRecord, "id" | "parentID" | "rootID">): string {
  const line: HeaderLine = { log: 1, id, ...(parentID !== undefined && { parentID }), rootID, deleted: true };
  return JSON.stringify(line);
}

export function indexLine(index: IndexLine["index"]): string {
  return JSON.stringify({ index } satisfies IndexLine);
}

function rowLine(row: RowLine["row"], { key, seq, position, row: value }: Entry<unknown>): string {
  return JSON.stringify({ row, key, seq, at: position, value: value ?? null } satisfies RowLine);
}

function messageLine(record: SessionRecord, entry: Entry<Message>): string {
  const place = entry.row === undefined ? record.transcript.positionOf(entry.key) : undefined;
  const parts = record.partEntries(entry.key).map(({ key, seq, position, row }): PartCell => [key, seq, position, row ?? null]);
  return JSON.stringify({ row: "message", key: entry.key, seq: entry.seq, at: entry.position, value: entry.row ?? null, place, parts } satisfies RowLine);
}

function isOlder(seq: number, ...entries: Entry<unknown>[]): boolean {
  return entries.every((entry) => entry.seq <= seq);
}
