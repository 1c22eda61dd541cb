/**
 * The error classes a host can catch. Every one extends {@link ThroughlineError}, has a stable `code`, and says in its
 * message what was wrong and what to do about it.
 */

const marker: unique symbol = Symbol.for("throughline.error");

/** What each error class is called in programs: compare this, never the message. */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-tool"
  | "duplicate-tool"
  | "session-not-found"
  | "session-closed"
  | "agent-closed"
  | "prompt-not-found"
  | "queue-full"
  | "ask-not-found"
  | "ask-rejected"
  | "compaction-failed"
  | "conflict"
  | "lease-lost"
  | "storage"
  | "storage-damaged"
  | "storage-newer"
  | "missing-package"
  | "turn-failed"
  | "turn-aborted"
  | "turn-interrupted"
  | "nothing-to-resume"
  | "invalid-transition"
  | "unexpected-model-call"
  | "unused-model-replies"
  | "invalid-request"
  | "crashed"
  | "crash-matrix";

/**
 * Base of every error this library throws on purpose.
 *
 * @example
 * try { await session.prompt("hi") } catch (error) {
 *   if (ThroughlineError.isInstance(error) && error.code === "session-closed") reopen()
 * }
 */
export class ThroughlineError extends Error {
  readonly code: ErrorCode;
  /** Survives two copies of this package in one process, where `instanceof` does not. */
  readonly [marker] = true;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }

  /** True for any error of this library, also one from another copy of the package. */
  static isInstance(value: unknown): value is ThroughlineError {
    try {
      return typeof value === "object" && value !== null && marker in value;
    } catch {
      // A proxy that throws when it is looked at.
      return false;
    }
  }
}

/** An argument or option of the wrong type or value. Nothing was changed. */
export class InvalidArgumentError extends ThroughlineError {
  /** The path of the argument, e.g. `createAgent.model`. */
  readonly argument: string;

  constructor(argument: string, problem: string) {
    super("invalid-argument", `${argument}: ${problem}`);
    this.argument = argument;
  }
}

/** A tool definition that cannot be used: it has no name, no input schema or nothing to execute. */
export class InvalidToolError extends ThroughlineError {
  /** Its name; empty where that is not known, e.g. in `defineTool`, as the key of a record names a tool later. */
  readonly tool: string;

  constructor(tool: string, problem: string) {
    super("invalid-tool", `${tool === "" ? "This tool" : `Tool "${tool}"`}: ${problem}`);
    this.tool = tool;
  }
}

/** Two tools were registered under one name. */
export class DuplicateToolError extends ThroughlineError {
  readonly tool: string;

  constructor(tool: string) {
    super("duplicate-tool", `A tool named "${tool}" is registered already. Give the new one another name, or unregister the first.`);
    this.tool = tool;
  }
}

/** No session with that id is in the storage. */
export class SessionNotFoundError extends ThroughlineError {
  readonly sessionID: string;

  constructor(sessionID: string) {
    super(
      "session-not-found",
      `No session "${sessionID}" in this storage. Create one with agent.session(), or open-or-create with agent.session({ id: "${sessionID}" }).`,
    );
    this.sessionID = sessionID;
  }
}

/** How a session object came to its end. */
type SessionEnd = "closed" | "agent-closed" | "removed";

/** The session object (or its agent) was closed, or the session was removed. */
export class SessionClosedError extends ThroughlineError {
  readonly sessionID: string;

  constructor(sessionID: string, end: SessionEnd = "closed") {
    super("session-closed", `Session "${sessionID}" ${afterEnd(end, sessionID)}`);
    this.sessionID = sessionID;
  }
}

/** What has happened, and what can be done: advice that leads into the next error is none. */
function afterEnd(end: SessionEnd, sessionID: string): string {
  switch (end) {
    case "closed":
      return `is closed. Open it again with agent.session("${sessionID}").`;
    case "agent-closed":
      return `is closed, as its agent is. Make a new agent on the same storage with createAgent(), and open it there.`;
    case "removed":
      return "was removed from its storage. Make a new one with agent.session().";
  }
}

/** The agent was closed: it makes and opens no sessions any more. */
export class AgentClosedError extends ThroughlineError {
  constructor() {
    super("agent-closed", "This agent is closed. Make a new one with createAgent(); sessions in its storage can be opened there.");
  }
}

/** No queued prompt with that message id. */
export class PromptNotFoundError extends ThroughlineError {
  readonly messageID: string;

  constructor(messageID: string) {
    super("prompt-not-found", `No queued prompt "${messageID}" in this session. session.queue() lists the ones that wait.`);
    this.messageID = messageID;
  }
}

/** No ask with that id in this session. */
export class AskNotFoundError extends ThroughlineError {
  readonly askID: string;

  constructor(askID: string) {
    super("ask-not-found", `No ask "${askID}" in this session. session.asks() lists the open ones.`);
    this.askID = askID;
  }
}

/** Thrown by `context.ask()`: the answer is no. A tool that lets it pass ends with its message as the result. */
export class AskRejectedError extends ThroughlineError {
  /** Whether the turn ends when the tool ends with this error. */
  readonly endsTurn: boolean;

  constructor(message: string, endsTurn: boolean) {
    super("ask-rejected", message);
    this.endsTurn = endsTurn;
  }
}

/** A guarded write found another row than it expected; {@link ConflictError.existing} is that row. */
export class ConflictError extends ThroughlineError {
  readonly existing: unknown;
  /** @internal The write was tried before and its answer lost: what exists may be what the first try wrote. */
  isOfRepetition = false;

  constructor(message: string, existing: unknown) {
    super("conflict", message);
    this.existing = existing;
  }
}

/** The writer's lease ended or passed to another owner: nothing of the batch was written. */
export class LeaseLostError extends ThroughlineError {
  readonly rootID: string;

  constructor(rootID: string) {
    super("lease-lost", `The lease on session tree "${rootID}" is no longer held, so nothing was written. Another process may be running it.`);
    this.rootID = rootID;
  }
}

/** The prompt was accepted before, and the process that ran it ended before its outcome was known. */
export class InterruptedTurnError extends ThroughlineError {
  readonly messageID: string;

  constructor(messageID: string) {
    super("turn-interrupted", `The turn of prompt "${messageID}" was interrupted before it had an outcome. session.resume() continues it; a new prompt closes it as aborted, and the model sees what was done.`);
    this.messageID = messageID;
  }
}

/** `session.resume()` found no interrupted turn and nothing in the queue. */
export class NothingToResumeError extends ThroughlineError {
  readonly sessionID: string;

  constructor(sessionID: string) {
    super("nothing-to-resume", `Session "${sessionID}" has no interrupted turn and no queued prompt: every accepted prompt has its outcome.`);
    this.sessionID = sessionID;
  }
}

/** The storage failed; what was accepted before is still stored. The session must be opened again. */
export class StorageError extends ThroughlineError {
  constructor(message: string, cause?: unknown) {
    super("storage", message, { cause });
  }
}

/** The store as a whole cannot be read. It was left as it is; the message names it and says how to recover. */
export class StorageDamagedError extends ThroughlineError {
  /** The file, or what else holds the store. */
  readonly store: string;

  constructor(store: string, problem: string, recovery: string, cause?: unknown) {
    super("storage-damaged", `${store}: ${problem} It was left as it is. ${recovery}`, { cause });
    this.store = store;
  }
}

/** The store was written by a newer version of this library, which may mean things that this one does not know. */
export class StorageNewerError extends ThroughlineError {
  readonly store: string;

  constructor(store: string, version: number, known: number) {
    super("storage-newer", `${store} has schema version ${version}; this version of throughline knows ${known}. Update throughline, or open another store. Nothing was changed.`);
    this.store = store;
  }
}

/** An optional package is needed for what was asked, and is not installed. */
export class MissingPackageError extends ThroughlineError {
  readonly packageName: string;

  constructor(packageName: string, purpose: string, cause?: unknown) {
    super("missing-package", `${purpose} needs the package "${packageName}". Install it: npm install ${packageName}`, { cause });
    this.packageName = packageName;
  }
}
