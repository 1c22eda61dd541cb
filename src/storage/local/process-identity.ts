import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, so that others of its machine can tell whether it still runs. Plain data: it is stored with a lease. */
export interface ProcessIdentity {
  /** The machine, since its last start, and the namespace of its process ids (containers have their own). */
  host: string;
  pid: number;
  /** When the process was started, in the machine's own ticks; another process may get the same id later. Absent where it cannot be told. */
  started?: string | undefined;
}

/** The process that asks. */
export function thisProcess(): ProcessIdentity {
  const started = startOf(process.pid);
  return { host: hostIdentity(), pid: process.pid, ...(started !== undefined && { started }) };
}

/** Whether a process is known to have ended. False in doubt: a lease is then waited for until its time is over. */
export function hasEnded(process: ProcessIdentity): boolean {
  if (process.host !== hostIdentity()) return false;
  if (!isRunning(process.pid)) return true;
  const started = startOf(process.pid);
  return started !== undefined && process.started !== undefined && started !== process.started;
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 is sent to nobody: it only asks.
    process.kill(pid, 0);
    return stateOf(pid) !== "Z";
  } catch (error) {
    // Anything but "no such process" means that there is one, which belongs to somebody else.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function hostIdentity(): string {
  return [hostname(), readOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()), readOr("", () => readlinkSync("/proc/self/ns/pid"))].join(" ");
}

/** Field 22 of `/proc/<pid>/stat` (proc(5)); `undefined` on systems without it. */
function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** Field 3: `Z` for a process that has ended and that its parent has not taken note of. */
function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0];
}

/** The fields behind the command's name, which may hold blanks and brackets itself. */
function statOf(pid: number): string[] | undefined {
  const stat = readOr(undefined, () => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readOr<T>(otherwise: T, read: () => string): string | T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
