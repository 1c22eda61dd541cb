import { LeaseLostError, SessionNotFoundError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { applyOperation } from "../operations/apply-operation.ts";
import { isInForce } from "../operations/lease-rules.ts";
import { checkNewSession } from "../operations/new-session.ts";
import type { Batch } from "../storage.ts";
import type { LoadedSession } from "./load-session.ts";
import { SessionDraft } from "./session-draft.ts";

/**
 * What a batch makes of a session as it was loaded.
 *
 * @throws {ConflictError} {@link SessionNotFoundError} {@link LeaseLostError} as a commit does
 * @throws {TextNeeded} it cannot be said without the texts
 */
export function judgeBatch(batch: Batch, loaded: LoadedSession): SessionDraft {
  const draft = draftOf(batch, loaded);
  if (batch.lease !== undefined && !isInForce(loaded.holding, batch.lease, draft.rootID)) throw new LeaseLostError(draft.rootID);
  for (const operation of batch.operations) applyOperation(draft, operation);
  return draft;
}

function draftOf(batch: Batch, loaded: LoadedSession): SessionDraft {
  const [first] = batch.operations;
  if (first?.type !== "session.create") {
    if (loaded.session === undefined) throw new SessionNotFoundError(batch.sessionID);
    return new SessionDraft({ ...loaded, session: loaded.session });
  }
  checkNewSession(first.session, loaded.session, loaded.parent);
  const draft = new SessionDraft({ ...loaded, session: { ...first.session, seq: loaded.seq } });
  draft.putSession(deepFreeze(first.session));
  return draft;
}
