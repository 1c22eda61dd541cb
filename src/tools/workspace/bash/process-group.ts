import { readdirSync, readFileSync } from "node:fs";

/** How often it is looked whether processes have ended. */
const pollMs = 20;

/** Whether any process of the group is still there. */
export function isGroupAlive(group: number): boolean {
  return signalGroup(group, 0) && (process.platform !== "linux" || hasLiving(group));
}

/** Processes that have ended stay in their group until their parent looks, which in a container may be long after. */
function hasLiving(group: number): boolean {
  try {
    return readdirSync("/proc").some((entry) => /^\d+$/.test(entry) && isLivingMember(entry, group));
  } catch {
    return true;
  }
}

/** `pid (name) state parent group …`: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function isLivingMember(id: string, group: number): boolean {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "latin1");
    const [state, , ofGroup] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return ofGroup === String(group) && state !== "Z" && state !== "X";
  } catch {
    // It has just ended.
    return false;
  }
}

/** Asks all processes of a group to end, and ends those that have not done so within the grace period. */
export async function endGroup(group: number, graceMs: number): Promise<void> {
  signalGroup(group, "SIGTERM");
  // One that is stopped hears no other signal before it goes on.
  signalGroup(group, "SIGCONT");
  for (let waitedMs = 0; waitedMs < graceMs && isGroupAlive(group); waitedMs += pollMs) await delay(pollMs);
  signalGroup(group, "SIGKILL");
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // Not permitted: it is there, and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
