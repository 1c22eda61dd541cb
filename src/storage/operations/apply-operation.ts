import type { Operation, OperationOf } from "../storage.ts";
import { appendToArtifact, putArtifact } from "./artifact-operations.ts";
import { putAsk, replyToAsk } from "./ask-operations.ts";
import { deleteMessage, promoteMessage, putMessage } from "./message-operations.ts";
import { appendToPart, deletePart, putPart } from "./part-operations.ts";
import { admitPrompt, cancelPrompt } from "./prompt-operations.ts";
import { putSession, requestAbort } from "./session-operations.ts";
import type { SessionView } from "./session-view.ts";

type OperationType = Operation["type"];

/**
 * Writes one operation into the session's running batch.
 *
 * @throws {ConflictError} a guard failed
 */
export function applyOperation(session: SessionView, operation: Operation): void {
  // The table pairs each type with its own operation, which the compiler cannot see for a union of them.
  const write = writers[operation.type] as (session: SessionView, operation: Operation) => void;
  write(session, operation);
}

const writers: { readonly [Type in OperationType]: (session: SessionView, operation: OperationOf<Type>) => void } = {
  // These two make and end the record itself, before the operations of a batch are applied.
  "session.create": () => undefined,
  "session.delete": () => undefined,
  "session.put": putSession,
  "message.put": putMessage,
  "message.delete": deleteMessage,
  "message.promote": promoteMessage,
  "part.put": putPart,
  "part.delete": deletePart,
  "part.append": appendToPart,
  "ask.put": putAsk,
  "ask.delete": (session, { askID }) => {
    session.asks.delete(askID);
  },
  "ask.reply": replyToAsk,
  "artifact.put": putArtifact,
  "artifact.append": appendToArtifact,
  "artifact.delete": (session, { artifactID }) => {
    session.artifacts.delete(artifactID);
  },
  "prompt.admit": admitPrompt,
  "prompt.cancel": cancelPrompt,
  "abort.request": requestAbort,
  "abort.clear": (session, { abortID }) => {
    session.aborts.delete(abortID);
  },
};
