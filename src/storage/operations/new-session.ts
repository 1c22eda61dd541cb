import { ConflictError, InvalidArgumentError, SessionNotFoundError } from "../../errors.ts";
import type { SessionInfo } from "../../message/session-info.ts";

/**
 * Whether a session may be created.
 *
 * @param existing the session of that id, if there is one
 * @param parent the session's parent, if it names one that exists
 * @throws {ConflictError} it exists already
 * @throws {SessionNotFoundError} its parent does not exist
 * @throws {InvalidArgumentError} it has not the root of its parent
 */
export function checkNewSession(session: SessionInfo, existing: SessionInfo | undefined, parent: { readonly rootID: string } | undefined): void {
  if (existing !== undefined) throw new ConflictError(`Session "${session.id}" exists already.`, existing);
  if (session.parentID === undefined) return;
  if (parent === undefined) throw new SessionNotFoundError(session.parentID);
  if (parent.rootID !== session.rootID) throw new InvalidArgumentError("session.create", `session "${session.id}" must have the rootID of its parent.`);
}
