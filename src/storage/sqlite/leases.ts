import { SessionNotFoundError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { hasEnded, thisProcess, type ProcessIdentity } from "../local/process-identity.ts";
import { checkTtl, isInForce, take, type Holding } from "../operations/lease-rules.ts";
import type { Lease } from "../storage.ts";
import type { Connection } from "./connection.ts";
import { decodeRow } from "./row-json.ts";

interface StoredHolding extends Holding {
  /** The process of the owner. */
  process: unknown;
}

/** Who may write which session tree. Inside a transaction each. */
export class Leases {
  readonly #connection: Connection;
  readonly #clock: Clock;
  /** This process, as JSON. */
  readonly #process = JSON.stringify(thisProcess());

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** @throws {SessionNotFoundError} there is no such root session */
  acquire(rootID: string, owner: string, ttlMs: number): Lease | undefined {
    checkTtl(ttlMs);
    const seq = this.#seqOf(rootID);
    if (seq === undefined) throw new SessionNotFoundError(rootID);
    const held = this.#find(rootID);
    // By the wall clock: it is the only one that processes share.
    const taken = take(held, { owner, ttlMs, now: this.#clock.now(), isDead: () => isDead(held?.process) });
    if (taken === undefined) return undefined;
    this.#connection.run(
      `INSERT INTO lease (root, owner, fence, deadline, process) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (root) DO UPDATE SET owner = excluded.owner, fence = excluded.fence, deadline = excluded.deadline, process = excluded.process`,
      [rootID, owner, taken.fence, taken.deadline, this.#process],
    );
    return { rootID, owner, fence: taken.fence, seq, expires: taken.deadline };
  }

  release(lease: Lease, ifSeq: number | undefined): boolean {
    if (!isInForce(this.#find(lease.rootID), lease, lease.rootID)) return false;
    if (ifSeq !== undefined && this.#seqOf(lease.rootID) !== ifSeq) return false;
    this.#connection.run("UPDATE lease SET owner = NULL WHERE root = ?", [lease.rootID]);
    return true;
  }

  #seqOf(rootID: string): number | undefined {
    const row = this.#connection.first("SELECT seq FROM session WHERE id = ? AND rootID = id AND deleted = 0", [rootID]);
    return row === undefined ? undefined : Number(row[0]);
  }

  #find(rootID: string): StoredHolding | undefined {
    const row = this.#connection.first("SELECT owner, fence, deadline, process FROM lease WHERE root = ?", [rootID]);
    if (row === undefined) return undefined;
    const [owner, fence, deadline, process] = row;
    return { owner: typeof owner === "string" ? owner : undefined, fence: Number(fence), deadline: Number(deadline), process };
  }
}

/** False in doubt: the lease is then waited for. */
function isDead(stored: unknown): boolean {
  const process = decodeRow(stored);
  return process !== undefined && typeof process["host"] === "string" && typeof process["pid"] === "number" && hasEnded(identityOf(process));
}

function identityOf(process: Record<string, unknown>): ProcessIdentity {
  const { host, pid, started } = process;
  return { host: String(host), pid: Number(pid), ...(typeof started === "string" && { started }) };
}
