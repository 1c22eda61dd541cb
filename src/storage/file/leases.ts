import { readFileSync, statSync } from "node:fs";
import { LeaseLostError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { hasEnded, thisProcess, type ProcessIdentity } from "../local/process-identity.ts";
import { checkTtl, isInForce, take, type Holding } from "../operations/lease-rules.ts";
import type { Lease } from "../storage.ts";
import type { DamageReports } from "../damage-reports.ts";
import { hasCode, isSameFile, replaceFile, versionOf, type FileVersion } from "./durable-file.ts";
import { fileNameOf } from "./file-name.ts";
import { decodeFrame, encodeFrame } from "./frame.ts";
import type { StorePaths } from "./store-paths.ts";

/** What a lease's file says. */
interface StoredHolding {
  owner?: string | undefined;
  fence: number;
  /** By the wall clock: it is the only one that processes share. */
  deadline: number;
  /** Of the owner. */
  process: ProcessIdentity;
}

interface LeaseTerms {
  owner: string;
  ttlMs: number;
  /** A fence that is known from elsewhere, in case that the lease's file was lost. */
  leastFence: number;
}

/**
 * Who may write which session tree: a small file for each, which stays when the session is deleted. Change one only under
 * the store's lock.
 */
export class Leases {
  readonly #paths: StorePaths;
  readonly #clock: Clock;
  readonly #damage: DamageReports;
  readonly #process = thisProcess();
  /** Trees that were leased here, as their files said when they were last read. */
  readonly #read = new Map<string, { file: FileVersion; holding: StoredHolding }>();

  constructor(paths: StorePaths, clock: Clock, damage: DamageReports) {
    this.#paths = paths;
    this.#clock = clock;
    this.#damage = damage;
  }

  /** Whether this process writes the tree, as far as it knows. */
  isLeasedHere(rootID: string): boolean {
    return this.#read.has(rootID);
  }

  acquire(rootID: string, { owner, ttlMs, leastFence }: LeaseTerms): Omit<Lease, "seq"> | undefined {
    checkTtl(ttlMs);
    const found = this.#find(rootID) ?? (leastFence > 0 ? { fence: leastFence, deadline: 0, process: this.#process } : undefined);
    const held: Holding | undefined = found === undefined ? undefined : { owner: found.owner, fence: found.fence, deadline: found.deadline };
    const taken = take(held, { owner, ttlMs, now: this.#clock.now(), isDead: () => found !== undefined && hasEnded(found.process) });
    if (taken === undefined) return undefined;
    this.#write(rootID, { owner, fence: taken.fence, deadline: taken.deadline, process: this.#process });
    return { rootID, owner, fence: taken.fence, expires: taken.deadline };
  }

  isInForce(lease: Lease, rootID: string): boolean {
    const found = this.#find(rootID);
    return isInForce(found === undefined ? undefined : { owner: found.owner, fence: found.fence, deadline: found.deadline }, lease, rootID);
  }

  /** @throws {LeaseLostError} */
  check(lease: Lease, rootID: string): void {
    if (this.isInForce(lease, rootID)) return;
    this.#read.delete(rootID);
    throw new LeaseLostError(rootID);
  }

  /** Nobody holds the tree any more; the fence stays. */
  end(rootID: string): void {
    const found = this.#find(rootID);
    if (found !== undefined) this.#write(rootID, { fence: found.fence, deadline: found.deadline, process: found.process });
    this.#read.delete(rootID);
  }

  #find(rootID: string): StoredHolding | undefined {
    const path = this.#paths.lease(fileNameOf(rootID));
    const stat = statSync(path, { throwIfNoEntry: false });
    const known = this.#read.get(rootID);
    if (stat === undefined) return undefined;
    if (known !== undefined && isSameFile(known.file, stat)) return known.holding;
    return this.#readFile(path, rootID);
  }

  #readFile(path: string, rootID: string): StoredHolding | undefined {
    try {
      const decoded = decodeFrame(readFileSync(path), 0);
      if (decoded !== undefined) return JSON.parse(decoded.frame.json) as StoredHolding; // a frame's checksum says that we wrote it
      this.#damage.report({ sessionID: rootID, record: "session", where: path, reason: "The lease is damaged: it counts as given back." });
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
    return undefined;
  }

  #write(rootID: string, holding: StoredHolding): void {
    const path = this.#paths.lease(fileNameOf(rootID));
    const line = encodeFrame({ seq: holding.fence, changed: 0, sessionAt: -1 }, JSON.stringify(holding));
    replaceFile(path, Buffer.from(line), false);
    this.#read.set(rootID, { file: versionOf(statSync(path)), holding });
  }
}
