import type { Lease, Operation } from "../../storage/storage.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { SessionEvent } from "../events.ts";

/** Operations that go into one commit, and the events that become true with it. */
export interface Segment {
  lease: Lease | undefined;
  /** Somebody else may have made it impossible: when it fails, that concerns its caller alone. */
  guarded: boolean;
  operations: Operation[];
  events: SessionEvent[];
  /** Somebody waits for it, or it is not to wait for more. */
  urgent: boolean;
  waiting: { resolve: () => void; reject: (error: unknown) => void }[];
}

/** Adds an operation and freezes its row, which its events show as well. A put takes the place of an earlier one of the same row. */
export function addOperation(operations: Operation[], operation: Operation): void {
  const row = deepFreeze(rowOf(operation))?.id;
  // An append between two puts is about the first one's text, so nothing may move over it.
  for (let index = operations.length - 1; row !== undefined && index >= 0; index -= 1) {
    const earlier = operations[index];
    if (earlier === undefined || earlier.type === "part.append" || earlier.type === "artifact.append") break;
    if (rowOf(earlier)?.id !== row) continue;
    operations[index] = operation;
    return;
  }
  operations.push(operation);
}

/** The row that an operation puts. Ids are unique over all kinds of rows. */
function rowOf(operation: Operation): { readonly id: string } | undefined {
  switch (operation.type) {
    case "message.put":
      return operation.message;
    case "part.put":
      return operation.part;
    case "session.put":
      return operation.session;
    case "ask.put":
      return operation.ask;
    default:
      return undefined;
  }
}
