import { InvalidArgumentError } from "../errors.ts";
import type { Message } from "../message/message.ts";
import type { SessionInfo } from "../message/session-info.ts";
import type { Batch, GuardedOperation, Operation } from "./storage.ts";

/**
 * Refuses a batch that no store could write, whatever is in it: one that contradicts itself, or needs a lease and has
 * none. Every adapter calls this first, so that wrong use fails in the same way on all of them.
 *
 * @throws {InvalidArgumentError} naming the operation
 */
export function checkBatch(batch: Batch): void {
  const deleted = new Set<string>();
  batch.operations.forEach((operation, index) => {
    const problem =
      leaseProblem(batch, operation) ??
      orderProblem(batch, operation, index) ??
      revivalProblem(deleted, operation) ??
      rowProblem(batch.sessionID, operation);
    if (problem !== undefined) throw new InvalidArgumentError(`batch.operations[${index}]`, `${operation.type} ${problem}`);
  });
}

const guardedTypes: { readonly [Type in GuardedOperation["type"]]: true } = {
  "session.create": true,
  "prompt.admit": true,
  "prompt.cancel": true,
  "ask.reply": true,
  "abort.request": true,
};

function leaseProblem(batch: Batch, operation: Operation): string | undefined {
  if (batch.lease !== undefined || operation.type in guardedTypes) return undefined;
  return "needs a lease. Without one only guarded operations are allowed.";
}

function orderProblem(batch: Batch, operation: Operation, index: number): string | undefined {
  if (operation.type === "session.create" && index > 0) return "must be the first operation of its batch.";
  if (operation.type === "session.delete" && batch.operations.length > 1) return "must be the only operation of its batch.";
  return undefined;
}

/**
 * A row that is deleted and put again would be an old one or a new one, depending on how often the batch was tried. The
 * other order is fine: what was made and is deleted is gone, each time.
 */
function revivalProblem(deleted: Set<string>, operation: Operation): string | undefined {
  const gone = deletedRow(operation);
  if (gone !== undefined) deleted.add(gone);
  const put = deleted.size === 0 ? undefined : putRow(operation);
  return put !== undefined && deleted.has(put) ? "would bring back a row that its own batch has deleted." : undefined;
}

function deletedRow(operation: Operation): string | undefined {
  switch (operation.type) {
    case "message.delete":
      return `message ${operation.messageID}`;
    case "part.delete":
      return `part ${operation.messageID} ${operation.partID}`;
    case "ask.delete":
      return `ask ${operation.askID}`;
    case "artifact.delete":
      return `artifact ${operation.artifactID}`;
    case "abort.clear":
      return `abort ${operation.abortID}`;
    default:
      return undefined;
  }
}

function putRow(operation: Operation): string | undefined {
  switch (operation.type) {
    case "message.put":
    case "prompt.admit":
      return `message ${operation.message.id}`;
    case "part.put":
      return `part ${operation.part.messageID} ${operation.part.id}`;
    case "ask.put":
      return `ask ${operation.ask.id}`;
    case "artifact.put":
      return `artifact ${operation.artifact.id}`;
    case "abort.request":
      return `abort ${operation.abort.id}`;
    default:
      return undefined;
  }
}

function rowProblem(sessionID: string, operation: Operation): string | undefined {
  switch (operation.type) {
    case "session.create":
      return ownerProblem(operation.session.id, sessionID) ?? rootProblem(operation.session);
    case "session.put":
      return ownerProblem(operation.session.id, sessionID);
    case "message.put":
      return ownerProblem(operation.message.sessionID, sessionID) ?? placeProblem(operation.message);
    case "part.put":
      return ownerProblem(operation.part.sessionID, sessionID);
    case "ask.put":
      return ownerProblem(operation.ask.sessionID, sessionID);
    case "artifact.put":
      return ownerProblem(operation.artifact.sessionID, sessionID);
    case "prompt.admit":
      return ownerProblem(operation.message.sessionID, sessionID) ?? admissionProblem(operation);
    case "message.promote":
      return numberProblem("position", operation.position);
    case "part.append":
    case "artifact.append":
      return numberProblem("offset", operation.offset);
    default:
      return undefined;
  }
}

function ownerProblem(rowSessionID: string, sessionID: string): string | undefined {
  return rowSessionID === sessionID ? undefined : `has a row of session "${rowSessionID}" in a batch for "${sessionID}".`;
}

function rootProblem(session: SessionInfo): string | undefined {
  const isRoot = session.rootID === session.id;
  if (isRoot === (session.parentID === undefined)) return undefined;
  return "must have its own id as rootID when it has no parent, and its parent's rootID when it has one.";
}

/** A message that is neither queued, nor cancelled, nor in the transcript would be shown by no query at all. */
function placeProblem(message: Message): string | undefined {
  const waits = message.role === "user" && message.state !== undefined;
  if (waits !== (message.position === undefined)) return "must have either a position or a state (queued, cancelled).";
  return message.position === undefined ? undefined : numberProblem("position", message.position);
}

function numberProblem(field: string, value: number): string | undefined {
  return Number.isSafeInteger(value) && value >= 0 ? undefined : `must have a whole number from 0 on as ${field}, not ${value}.`;
}

function admissionProblem({ message, parts }: Extract<Operation, { type: "prompt.admit" }>): string | undefined {
  if (message.state !== "queued" || message.position !== undefined) return "must have the state queued and no position.";
  const stranger = parts.find((part) => part.messageID !== message.id || part.sessionID !== message.sessionID);
  return stranger === undefined ? undefined : `has a part "${stranger.id}" of another message.`;
}
