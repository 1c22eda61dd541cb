import { rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionRecord } from "../memory/session-record.ts";
import { ArchiveWriter } from "./archive-writer.ts";
import { attempt } from "./durable-file.ts";
import { encodeFrame } from "./frame.ts";
import type { ArchivedArtifact, ArchivedMessage } from "./log-line.ts";
import type { NewLine, SessionLog } from "./session-log.ts";
import { headerLine, indexLine, snapshotRows, type MessageLine, type SnapshotRows } from "./snapshot.ts";
import type { StorePaths } from "./store-paths.ts";

/** A smaller file is not worth the trouble. */
const smallestRewrite = 4_096;
/** More rows than this make a session slow to open: the old ones move to the archive. */
const mostInLog = 256 * 1024;
/** What then stays: the newest messages, up to this size, and some in any case. */
const keptInLog = 64 * 1024;
const leastKept = 4;
const frameOverhead = 40;

interface RewriteOptions {
  paths: StorePaths;
  /** Whether the new files are made to survive a power loss, as those that they replace. */
  sync: boolean;
}

/**
 * Writes a session's file anew, with its present rows in place of all that led to them, once it is more than twice as
 * large as those. Looked at only when the file has doubled, so that a commit stays cheap. Only under the store's lock.
 */
export function rewriteIfDue(log: SessionLog, options: RewriteOptions): void {
  const { record } = log;
  if (record === undefined || log.size <= Math.max(smallestRewrite, 2 * log.checkedSize)) return;
  const rows = snapshotRows(record, log.archive);
  const size = sizeOf(rows);
  if (size > mostInLog) moveOldRows(log, record, rows, options);
  else if (log.size > 2 * size) replaceLog(log, record, { ...rows, archive: log.archive?.path === undefined ? undefined : basename(log.archive.path) }, options.sync);
  else log.checkedSize = size;
}

/** What a new log refers to. */
type NewLog = SnapshotRows & { archive: string | undefined };

function replaceLog(log: SessionLog, record: SessionRecord, rows: NewLog, sync: boolean): void {
  const line = (json: string): NewLine => ({ seq: record.seq, json });
  const index = indexLine({ floor: record.log.floor, fence: log.fence, messages: rows.keptMessages, artifacts: rows.keptArtifacts });
  const lines: NewLine[] = [
    line(headerLine(record, rows.archive)),
    { ...line(rows.session), session: "row" },
    ...[...rows.others, ...rows.messages.map(({ json }) => json), ...rows.artifacts.map(({ json }) => json), index].map(line),
  ];
  log.replace(lines, log.changed, sync);
  log.refresh();
  log.checkedSize = log.size;
}

function moveOldRows(log: SessionLog, record: SessionRecord, rows: SnapshotRows, { paths, sync }: RewriteOptions): void {
  const { archive } = log;
  const { old, kept } = splitOld(rows.messages);
  const isWorn = archive?.path !== undefined && isMostlyWaste(archive.path, rows);
  const path = archive?.path === undefined || isWorn ? join(paths.archives, `${log.name}.${record.seq}`) : archive.path;
  const writer = new ArchiveWriter(path, isWorn || archive?.path === undefined);
  const keep = (start: number, length: number) =>
    isWorn ? writer.add(archive.readLine(start, length)) : ([start, length] as const);
  const add = (json: string) => writer.add(Buffer.from(encodeFrame({ seq: record.seq, changed: log.changed, sessionAt: -1 }, json)));
  const messages: ArchivedMessage[] = [
    ...rows.keptMessages.map(([id, position, start, length]): ArchivedMessage => [id, position, ...keep(start, length)]),
    ...old.map(({ id, position, json }): ArchivedMessage => [id, position, ...add(json)]),
  ];
  const artifacts: ArchivedArtifact[] = [
    ...rows.keptArtifacts.map(([id, start, length]): ArchivedArtifact => [id, ...keep(start, length)]),
    ...rows.artifacts.map(({ id, json }): ArchivedArtifact => [id, ...add(json)]),
  ];
  writer.write(sync);
  messages.sort((a, b) => a[1] - b[1]);
  replaceLog(log, record, { ...rows, archive: basename(path), messages: kept, artifacts: [], keptMessages: messages, keptArtifacts: artifacts }, sync);
  if (isWorn) attempt(() => rmSync(archive.path ?? "", { force: true }));
}

/** Those in the transcript that are not among the newest. */
function splitOld(messages: readonly MessageLine[]): { old: (MessageLine & { position: number })[]; kept: MessageLine[] } {
  const placed = messages.filter(isPlaced).sort((a, b) => b.position - a.position);
  const old = new Set<MessageLine>();
  let size = 0;
  placed.forEach((message, index) => {
    size += message.json.length;
    if (index >= leastKept && size > keptInLog) old.add(message);
  });
  return { old: placed.filter((message) => old.has(message)), kept: messages.filter((message) => !old.has(message)) };
}

function isPlaced(message: MessageLine): message is MessageLine & { position: number } {
  return message.position !== undefined;
}

/** Rows that changed after they were moved leave their old lines behind. */
function isMostlyWaste(path: string, { keptMessages, keptArtifacts }: SnapshotRows): boolean {
  const used = [...keptMessages.map(([, , , length]) => length), ...keptArtifacts.map(([, , length]) => length)].reduce((sum, length) => sum + length, 0);
  return statSync(path).size > 2 * used + mostInLog;
}

function sizeOf({ session, others, messages, artifacts, keptMessages, keptArtifacts }: SnapshotRows): number {
  const rows = [session, ...others, ...messages.map(({ json }) => json), ...artifacts.map(({ json }) => json)];
  const reference = 64;
  return rows.reduce((sum, json) => sum + json.length + frameOverhead, 0) + (keptMessages.length + keptArtifacts.length) * reference;
}
