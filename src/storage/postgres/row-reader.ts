import type { Ask } from "../../message/ask.ts";
import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { SessionInfo } from "../../message/session-info.ts";
import { errorMessage } from "../../util/error-message.ts";
import type { DamageReports } from "../damage-reports.ts";
import { rebuiltSession, type SessionIdentity } from "../rebuilt-session.ts";
import { isAbort, isArtifact, isAsk, isMessage, isObject, isPart, isSession, type StoredRow } from "../row-shape.ts";
import type { AbortRequest, Artifact } from "../storage.ts";
import { fromKey } from "./key.ts";
import { joinPieces } from "./pieces.ts";
import type { AnswerRow } from "./postgres-client.ts";

interface RowTypes {
  message: Message;
  part: Part;
  ask: Ask;
  artifact: Artifact;
  abort: AbortRequest;
}

export type RowKind = keyof RowTypes;

const rowChecks: { readonly [Kind in RowKind]: (row: StoredRow) => boolean } = { message: isMessage, part: isPart, ask: isAsk, artifact: isArtifact, abort: isAbort };

/** Decodes records one by one. A damaged one is reported, and is as good as absent. */
export class RowReader {
  readonly #schema: string;
  readonly #damage: DamageReports;

  constructor(schema: string, damage: DamageReports) {
    this.#schema = schema;
    this.#damage = damage;
  }

  /** Columns: `id`, `data`, and `tail` with the pieces that follow the row's text. */
  read<Kind extends RowKind>(kind: Kind, sessionID: string, row: AnswerRow): RowTypes[Kind] | undefined {
    try {
      const value = parseRow(row, rowChecks[kind]);
      const tail = row["tail"];
      if (typeof tail === "string") value["text"] = String(value["text"]) + joinPieces(tail);
      // The column and the checks say what it is.
      return value as unknown as RowTypes[Kind];
    } catch (error) {
      this.#report(kind, sessionID, row, error);
      return undefined;
    }
  }

  /** A session with its current `seq`. One whose record is damaged is made anew from the columns: it opens, and loses what only the record said. */
  readSession(row: AnswerRow): SessionInfo {
    const seq = Number(row["seq"]);
    try {
      const session = parseRow(row, isSession);
      session["seq"] = seq;
      return session as unknown as SessionInfo; // as above
    } catch (error) {
      this.#report("session", fromKey(String(row["id"])), row, error);
      return rebuiltSession(identityOf(row, seq));
    }
  }

  #report(record: RowKind | "session", sessionID: string, row: AnswerRow, error: unknown): void {
    const id = fromKey(String(row["id"]));
    this.#damage.report({
      sessionID,
      record,
      id,
      where: `PostgreSQL table "${this.#schema}".${record}, session "${sessionID}", id "${id}"`,
      reason: errorMessage(error),
    });
  }
}

function parseRow(row: AnswerRow, check: (data: StoredRow) => boolean): StoredRow {
  const data: unknown = JSON.parse(String(row["data"]));
  if (!isObject(data)) throw new TypeError("The record is not an object.");
  if (data["id"] !== fromKey(String(row["id"]))) throw new TypeError("The record has another id than its row.");
  if (!check(data)) throw new TypeError("The record lacks a field that reading it needs.");
  return data;
}

/** What the columns tell of a session. */
function identityOf(row: AnswerRow, seq: number): SessionIdentity {
  const text = (column: string): string | undefined => {
    const value = row[column];
    return typeof value === "string" ? fromKey(value) : undefined;
  };
  const id = text("id") ?? "";
  return {
    id,
    parentID: text("parent_id"),
    rootID: text("root_id") ?? id,
    title: text("title") ?? "",
    agent: text("agent") ?? "default",
    directory: text("directory"),
    projectID: text("project_id"),
    seq,
  };
}
