import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionView } from "./session-view.ts";

export function putSession(view: SessionView, { session }: OperationOf<"session.put">): void {
  if (session.rootID !== view.rootID || session.parentID !== view.parentID) {
    throw new ConflictError(
      `Session "${session.id}" cannot be moved to another tree: its rootID and parentID never change.`,
      view.session(),
    );
  }
  view.putSession(deepFreeze(session));
}

export function requestAbort(session: SessionView, { abort }: OperationOf<"abort.request">): void {
  // A request that was carried out and is repeated by an unsure caller must not hit the next turn.
  if (!session.aborts.isKnown(abort.id)) session.aborts.put(abort.id, deepFreeze(abort));
}
