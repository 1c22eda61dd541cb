import type { Operation } from "../storage.ts";

/**
 * Which commits are made to survive a power loss before they count as written. A crash of the process alone loses
 * nothing, whatever is chosen.
 *
 * - `"step"`: those that something outside relies on: an accepted prompt, a reply, a message that is finished, a tool call
 *   that is about to run or has run, a new or deleted session. Text that streams is not waited for.
 * - `"always"`: each.
 * - `"never"`: none.
 */
export type SyncPolicy = "step" | "always" | "never";

/** Whether a commit of these operations is synced. */
export function isSynced(policy: SyncPolicy, operations: readonly Operation[]): boolean {
  return policy === "always" || (policy === "step" && operations.some(isReliedOn));
}

function isReliedOn(operation: Operation): boolean {
  switch (operation.type) {
    case "part.append":
    case "artifact.append":
    case "artifact.put":
    case "session.put":
    case "part.delete":
    case "message.delete":
      return false;
    case "part.put":
      return operation.part.type === "tool" && operation.part.state.status !== "pending";
    case "message.put":
      return operation.message.role === "user" || operation.message.time.completed !== undefined;
    default:
      return true;
  }
}
