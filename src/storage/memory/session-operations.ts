import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

export function putSession(record: SessionRecord, { session }: OperationOf<"session.put">): void {
  if (session.rootID !== record.rootID || session.parentID !== record.parentID) {
    throw new ConflictError(
      `Session "${session.id}" cannot be moved to another tree: its rootID and parentID never change.`,
      record.session(),
    );
  }
  record.info.put(session.id, deepFreeze(session));
}

export function requestAbort(record: SessionRecord, { abort }: OperationOf<"abort.request">): void {
  // A request that was carried out and is repeated by an unsure caller must not hit the next turn.
  if (!record.aborts.isKnown(abort.id)) record.aborts.put(abort.id, deepFreeze(abort));
}
