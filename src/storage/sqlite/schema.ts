import { StorageNewerError } from "../../errors.ts";
import type { Connection } from "./connection.ts";

/**
 * Each brings the schema one version further, in order; never change one that was released. Rows have integer keys, and
 * `data` is JSON without what the columns say (see docs/decisions/0007-sqlite-store.md).
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE session (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    parentID TEXT,
    rootID TEXT NOT NULL,
    -- Commits so far. It outlives a deletion.
    seq INTEGER NOT NULL,
    -- The seq of the newest write of the row itself.
    stamp INTEGER NOT NULL,
    -- Tombstones up to this seq may be missing.
    floor INTEGER NOT NULL,
    tombstones INTEGER NOT NULL DEFAULT 0,
    -- Grows over all sessions: who has the largest had the newest commit.
    changed INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0,
    -- JSON strings, as all text that may hold anything.
    directory TEXT,
    projectID TEXT,
    data TEXT NOT NULL
  );
  CREATE INDEX session_changed ON session (changed);

  CREATE TABLE message (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (key),
    id TEXT NOT NULL,
    position INTEGER,
    state TEXT,
    stamp INTEGER NOT NULL,
    -- The newest stamp of the message and its parts.
    changed INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (session, id),
    UNIQUE (session, position)
  );
  CREATE INDEX message_changed ON message (session, changed);

  CREATE TABLE part (
    key INTEGER PRIMARY KEY,
    message INTEGER NOT NULL REFERENCES message (key) ON DELETE CASCADE,
    id TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    -- Of its text with all pieces, in UTF-16 code units.
    length INTEGER,
    -- Whether its text goes on in pieces.
    pieces INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (message, id)
  );

  -- Small rows that are only read in order: the one use for a table that is its own index.
  CREATE TABLE part_piece (
    part INTEGER NOT NULL REFERENCES part (key) ON DELETE CASCADE,
    offset INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (part, offset)
  ) WITHOUT ROWID;

  CREATE TABLE ask (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (key),
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (session, id)
  );

  CREATE TABLE abort (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (key),
    id TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (session, id)
  );

  CREATE TABLE artifact (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (key),
    id TEXT NOT NULL,
    length INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (session, id)
  );

  CREATE TABLE artifact_piece (
    artifact INTEGER NOT NULL REFERENCES artifact (key) ON DELETE CASCADE,
    offset INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (artifact, offset)
  ) WITHOUT ROWID;

  -- What is gone, for the change feed, and for who pages from a message that is gone.
  CREATE TABLE tombstone (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (key),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER,
    UNIQUE (session, kind, message, id)
  );
  CREATE INDEX tombstone_seq ON tombstone (session, seq);

  -- Outlives its session, so that a fence never repeats.
  CREATE TABLE lease (
    key INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    owner TEXT,
    fence INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    process TEXT NOT NULL
  );
  `,
];

/** The newest version that this code knows. */
const knownVersion = migrations.length;

/** @throws {StorageNewerError} */
export function checkVersion(connection: Connection, store: string): number {
  const version = Number(connection.first("PRAGMA user_version", [])?.[0]);
  if (version > knownVersion) throw new StorageNewerError(store, version, knownVersion);
  return version;
}

/** Brings the schema up to date. Two processes may try at once: who comes second finds it done. */
export function migrate(connection: Connection, store: string): void {
  if (checkVersion(connection, store) === knownVersion) return;
  connection.exec("BEGIN IMMEDIATE");
  try {
    for (const migration of migrations.slice(checkVersion(connection, store))) connection.exec(migration);
    connection.exec(`PRAGMA user_version = ${knownVersion}`);
    connection.exec("COMMIT");
  } catch (error) {
    connection.exec("ROLLBACK");
    throw error;
  }
}
