import { ThroughlineError } from "../errors.ts";
import type { FilePart } from "./file-part.ts";
import type { JSONObject, JSONValue } from "./json.ts";

/** What the model is shown as a tool's result, in the AI SDK's form. Stored, so that it never changes once sent. */
export type ModelOutput =
  | { type: "text"; value: string }
  | { type: "json"; value: JSONValue }
  | { type: "error-text"; value: string }
  | { type: "error-json"; value: JSONValue }
  | { type: "execution-denied"; reason?: string | undefined }
  | { type: "content"; value: ModelOutputContent[] };

export type ModelOutputContent =
  | { type: "text"; text: string }
  | { type: "file"; mediaType: string; filename?: string | undefined; data: { type: "data"; data: string } | { type: "url"; url: string } };

/** Arguments are arriving, or the call waits for an answer to an ask. */
export interface ToolStatePending {
  status: "pending";
  input: JSONObject;
  /** The arguments as text. Empty while they arrive: they are kept in memory until the call is complete, and stored with its next state. */
  raw: string;
}

export interface ToolStateRunning {
  status: "running";
  input: JSONObject;
  title?: string | undefined;
  metadata?: JSONObject | undefined;
  /** Milliseconds since the epoch; the wait for an ask is not part of it. */
  time: { start: number };
}

export interface ToolStateCompleted {
  status: "completed";
  input: JSONObject;
  /** What people are shown, and the model too unless `modelOutput` is set. */
  output: string;
  title: string;
  metadata: JSONObject;
  attachments?: FilePart[] | undefined;
  modelOutput?: ModelOutput | undefined;
  /** Set when the model was shown only a part: how large the whole is, and the artifact that holds it, where one does. */
  truncated?: { chars: number; bytes: number; lines: number; artifactID?: string | undefined } | undefined;
  /** What the tool keeps for its later calls, e.g. its working directory. */
  kept?: JSONValue | undefined;
  time: { start: number; end: number; compacted?: number | undefined };
}

export interface ToolStateError {
  status: "error";
  input: JSONObject;
  /** The arguments as the model wrote them, when they were no JSON object. */
  raw?: string | undefined;
  /** Written for the model: what was wrong, and what to do. */
  error: string;
  /** The tool was never started. */
  neverRan?: boolean | undefined;
  /** A person rejected the call, and the turn ends by it. */
  rejected?: boolean | undefined;
  metadata?: JSONObject | undefined;
  modelOutput?: ModelOutput | undefined;
  time: { start: number; end: number; compacted?: number | undefined };
}

export type ToolState = ToolStatePending | ToolStateRunning | ToolStateCompleted | ToolStateError;

export type ToolStatus = ToolState["status"];

/**
 * Which status may follow which. A terminal status is written once, so that nothing follows it here; the one change that
 * {@link transition} lets pass besides is the mark `time.compacted` on an otherwise equal state.
 */
export const toolStateTransitions: Readonly<Record<ToolStatus, readonly ToolStatus[]>> = {
  pending: ["pending", "running", "error"],
  running: ["running", "completed", "error"],
  completed: [],
  error: [],
};

/** Thrown when code tries to change a call's terminal state, or to move a call backwards. */
export class InvalidTransitionError extends ThroughlineError {
  constructor(from: ToolStatus, to: ToolStatus) {
    super("invalid-transition", `A tool call cannot go from "${from}" to "${to}": a result is written once.`);
  }
}

/** Whether the call has its result. */
export function isSettled(state: ToolState): state is ToolStateCompleted | ToolStateError {
  return toolStateTransitions[state.status].length === 0;
}

/**
 * The one place where a call changes state.
 *
 * @throws {InvalidTransitionError} when {@link toolStateTransitions} does not allow it
 */
export function transition<S extends ToolState>(from: ToolState, to: S): S {
  if (toolStateTransitions[from.status].includes(to.status) || onlyMarksCompacted(from, to)) return to;
  throw new InvalidTransitionError(from.status, to.status);
}

function onlyMarksCompacted(from: ToolState, to: ToolState): boolean {
  if (!isSettled(from) || !isSettled(to) || from.status !== to.status) return false;
  const unmarked = { ...to, time: { ...to.time, compacted: from.time.compacted } };
  return JSON.stringify(unmarked) === JSON.stringify({ ...from, time: { ...from.time, compacted: from.time.compacted } });
}
