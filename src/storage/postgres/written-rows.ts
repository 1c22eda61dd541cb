import { toKey } from "./key.ts";
import { toPieces, type Piece } from "./pieces.ts";
import type { SessionDraft } from "./session-draft.ts";
import type { StagedRows } from "./staged-rows.ts";

/** A record as it is sent to the database. `data` is null in a tombstone. */
interface WrittenRow {
  key: string;
  created: number;
  data: string | null;
}

interface PartKey {
  message: string;
  key: string;
}

/** What a judged batch writes, table by table; each row once. */
export interface WrittenRows {
  messages: (WrittenRow & { position: number | null; queued: boolean })[];
  /** Messages whose parts go with them. */
  emptied: string[];
  parts: (WrittenRow & PartKey & { size: number | null })[];
  /** Parts whose pieces are replaced by the row's own text. */
  ungrown: PartKey[];
  grown: (PartKey & { size: number })[];
  partPieces: (PartKey & Piece)[];
  asks: (WrittenRow & { status: string | null })[];
  artifacts: { key: string; size: number; data: string }[];
  /** Artifacts that are deleted, or replaced. */
  goneArtifacts: string[];
  grownArtifacts: { key: string; size: number }[];
  artifactPieces: ({ key: string } & Piece)[];
  aborts: WrittenRow[];
  tombstones: number;
}

/** More than the rows of any batch: places of later batches come after those of earlier ones, without a counter. */
const placesPerCommit = 1_000_000;

/** @param seq the session's `seq` after the batch */
export function writtenRows(draft: SessionDraft, seq: number): WrittenRows {
  let place = seq * placesPerCommit;
  const nextPlace = (): number => (place += 1);
  const messages = writtenMessages(draft, nextPlace);
  const emptied = messages.filter(({ data }) => data === null).map(({ key }) => key);
  const asks = written(draft.asks, nextPlace).map((row) => ({ ...row, status: draft.asks.get(row.id)?.status ?? null }));
  // A request that comes and is carried out in one batch is known from then on.
  const aborts = [...draft.aborts.staged].map(([id, row]) => ({ key: toKey(id), created: nextPlace(), data: row === undefined ? null : JSON.stringify(row) }));
  const parts = writtenParts(draft, nextPlace);
  const stones = [...messages, ...asks, ...aborts, ...parts.parts].filter(({ data }) => data === null).length;
  return { messages, emptied, asks, aborts, ...parts, ...writtenArtifacts(draft), tombstones: stones + emptied.length };
}

/** The rows that a batch has put, and the tombstones of stored ones. What it has made and deleted itself nobody has seen. */
function written<T>(rows: StagedRows<T>, nextPlace: () => number): (WrittenRow & { id: string })[] {
  return [...rows.staged].flatMap(([id, row]) => {
    if (row === undefined && rows.stored.get(id)?.deleted !== false) return [];
    return [{ id, key: toKey(id), created: nextPlace(), data: row === undefined ? null : JSON.stringify(row) }];
  });
}

function writtenMessages(draft: SessionDraft, nextPlace: () => number): WrittenRows["messages"] {
  return written(draft.messages, nextPlace).map(({ id, ...row }) => {
    const message = draft.messages.get(id);
    // A tombstone keeps its place: somebody may be paging from there.
    const position = (message === undefined ? draft.messages.stored.get(id)?.position : message.position) ?? null;
    return { ...row, position, queued: message?.role === "user" && message.state === "queued" };
  });
}

function writtenParts(draft: SessionDraft, nextPlace: () => number): Pick<WrittenRows, "parts" | "ungrown" | "grown" | "partPieces"> {
  const rows: ReturnType<typeof writtenParts> = { parts: [], ungrown: [], grown: [], partPieces: [] };
  for (const [messageID, table] of draft.openParts) {
    const message = toKey(messageID);
    for (const { id, ...row } of written(table, nextPlace)) {
      const part = table.get(id);
      rows.parts.push({ ...row, message, size: part !== undefined && "text" in part ? part.text.length : null });
      if (table.stored.get(id)?.grown === true) rows.ungrown.push({ message, key: row.key });
    }
    for (const [id, { start, text }] of table.tails) {
      const key = toKey(id);
      rows.grown.push({ message, key, size: start + text.length });
      rows.partPieces.push(...toPieces(text, start).map((piece) => ({ message, key, ...piece })));
    }
  }
  return rows;
}

function writtenArtifacts({ artifacts }: SessionDraft): Pick<WrittenRows, "artifacts" | "goneArtifacts" | "grownArtifacts" | "artifactPieces"> {
  const rows: ReturnType<typeof writtenArtifacts> = { artifacts: [], goneArtifacts: [], grownArtifacts: [], artifactPieces: [] };
  for (const [id, row] of artifacts.staged) {
    const key = toKey(id);
    if (artifacts.stored.has(id)) rows.goneArtifacts.push(key);
    if (row === undefined) continue;
    rows.artifacts.push({ key, size: row.text.length, data: JSON.stringify({ ...row, text: "" }) });
    rows.artifactPieces.push(...toPieces(row.text, 0).map((piece) => ({ key, ...piece })));
  }
  for (const [id, { start, text }] of artifacts.tails) {
    const key = toKey(id);
    rows.grownArtifacts.push({ key, size: start + text.length });
    rows.artifactPieces.push(...toPieces(text, start).map((piece) => ({ key, ...piece })));
  }
  return rows;
}
