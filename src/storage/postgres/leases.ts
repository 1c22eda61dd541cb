import { SessionNotFoundError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { checkTtl, take, type Holding } from "../operations/lease-rules.ts";
import type { Lease } from "../storage.ts";
import type { Database } from "./database.ts";
import { fromKey, toKey } from "./key.ts";
import { untilSettled } from "./race.ts";
import { Statement } from "./statement.ts";
import { fenceQuery } from "./write-batch.ts";

interface LeaseContext {
  database: Database;
  /** For waits. */
  clock: Clock;
  /** Decides when a lease is over; the server's when absent. */
  leaseClock: Clock | undefined;
}

interface Wish {
  rootID: string;
  owner: string;
  ttlMs: number;
}

export async function acquireLease({ database, clock, leaseClock }: LeaseContext, wish: Wish): Promise<Lease | undefined> {
  checkTtl(wish.ttlMs);
  const answer = await untilSettled(clock, async () => {
    const { seq, held, now } = await loadHolding(database, wish.rootID, leaseClock);
    const taken = take(held, { owner: wish.owner, ttlMs: wish.ttlMs, now });
    if (taken === undefined) return { lease: undefined };
    if (!(await writeHolding(database, wish, held, taken))) return undefined;
    return { lease: { rootID: wish.rootID, owner: wish.owner, fence: taken.fence, seq, expires: taken.deadline } };
  });
  return answer.lease;
}

/**
 * Gives a lease back, unless something came in. The session's row is held until this is written: who admits a prompt waits,
 * and then finds the lease free, or was first, and is seen here.
 */
export async function releaseLease({ database, clock }: Omit<LeaseContext, "leaseClock">, lease: Lease, ifSeq: number | undefined): Promise<boolean> {
  const { tables } = database;
  return untilSettled(clock, async () => {
    const statement = new Statement();
    statement.with("fence", fenceQuery(tables, statement, lease, "UPDATE"));
    const root = statement.value(toKey(lease.rootID));
    statement.with(
      "unchanged",
      ifSeq === undefined
        ? "SELECT 1 FROM fence"
        : `SELECT 1 FROM ${tables.session} s WHERE s.id = ${root} AND s.seq = ${statement.number(ifSeq)} AND NOT s.deleted AND EXISTS (SELECT 1 FROM fence) FOR SHARE`,
    );
    statement.with("released", `UPDATE ${tables.lease} l SET owner = NULL FROM unchanged WHERE l.root_id = ${root} RETURNING 1`);
    const rows = await database.rowsUnlessRaced(statement, "SELECT 1 FROM released");
    return rows === undefined ? undefined : rows.length > 0;
  });
}

/** @throws {SessionNotFoundError} there is no such root session */
async function loadHolding(database: Database, rootID: string, clock: Clock | undefined): Promise<{ seq: number; held: Holding | undefined; now: number }> {
  const { tables } = database;
  const statement = new Statement();
  const [row] = await database.rows(
    statement,
    `SELECT s.seq, l.owner, l.fence, l.deadline, extract(epoch FROM clock_timestamp()) * 1000 AS now
    FROM ${tables.session} s LEFT JOIN ${tables.lease} l ON l.root_id = s.id WHERE s.id = ${statement.value(toKey(rootID))} AND s.root_id = s.id AND NOT s.deleted`,
  );
  if (row === undefined) throw new SessionNotFoundError(rootID);
  const owner = row["owner"];
  const holding = { owner: typeof owner === "string" ? fromKey(owner) : undefined, fence: Number(row["fence"]), deadline: Number(row["deadline"]) };
  return { seq: Number(row["seq"]), held: row["fence"] === null ? undefined : holding, now: clock === undefined ? Number(row["now"]) : clock.now() };
}

/** False when the lease, or the absence of one, is not any more what it was. A deletion changes the fence. */
async function writeHolding(database: Database, { rootID, owner }: Wish, held: Holding | undefined, taken: Holding): Promise<boolean> {
  const { tables } = database;
  const statement = new Statement();
  const root = statement.value(toKey(rootID));
  const values = `${statement.value(toKey(owner))}, ${statement.number(taken.fence)}, ${statement.value(taken.deadline)}::float8`;
  if (held === undefined) {
    const insert = `INSERT INTO ${tables.lease} (root_id, owner, fence, deadline) VALUES (${root}, ${values}) ON CONFLICT DO NOTHING RETURNING 1`;
    return ((await database.rowsUnlessRaced(statement, insert)) ?? []).length > 0;
  }
  const heldOwner = statement.value(held.owner === undefined ? null : toKey(held.owner));
  const update = `UPDATE ${tables.lease} SET (owner, fence, deadline) = (${values})
    WHERE root_id = ${root} AND owner IS NOT DISTINCT FROM ${heldOwner} AND fence = ${statement.number(held.fence)} AND deadline = ${statement.value(held.deadline)}::float8 RETURNING 1`;
  return ((await database.rowsUnlessRaced(statement, update)) ?? []).length > 0;
}
