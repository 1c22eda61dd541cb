import type { FilePart, PartBase } from "./file-part.ts";
import type { JSONObject, ProviderMetadata } from "./json.ts";
import type { MessageError } from "./message-error.ts";
import type { ModelRef } from "./model-ref.ts";
import type { Tokens } from "./tokens.ts";
import type { ToolState } from "./tool-state.ts";

/** Text of the user or of the model. */
export interface TextPart extends PartBase {
  type: "text";
  text: string;
  /** Written by the engine, not by a person: sent to the model, left out of titles. */
  synthetic?: boolean | undefined;
  /** Shown to people, never sent to the model. */
  ignored?: boolean | undefined;
  /** Milliseconds since the epoch. */
  time?: { start: number; end?: number | undefined } | undefined;
  metadata?: ProviderMetadata | undefined;
}

/** The model's reasoning. */
export interface ReasoningPart extends PartBase {
  type: "reasoning";
  text: string;
  /** Signatures and encrypted content: without them a provider refuses the replay. */
  metadata?: ProviderMetadata | undefined;
  time: { start: number; end?: number | undefined };
}

/** One tool call and its result: one row, so that a call can have only one result. */
export interface ToolPart extends PartBase {
  type: "tool";
  /** The provider's id of the call. Providers repeat ids over steps: the key is `messageID` and `callID` together. */
  callID: string;
  /** The tool's name. */
  tool: string;
  state: ToolState;
  /** Metadata of the call. */
  metadata?: ProviderMetadata | undefined;
  /** Metadata of the result of a provider-executed tool. */
  resultMetadata?: ProviderMetadata | undefined;
  /** The tool takes plain text, not an object: the text is `state.input.value`. */
  textInput?: boolean | undefined;
  /** The provider ran the tool itself; its result stays inside the assistant message. */
  providerExecuted?: boolean | undefined;
  /**
   * The provider gave the result of its own tool only in a later message: that message holds a second part with the
   * same `callID`, marked `result`, and this one is marked `call`.
   */
  deferred?: "call" | "result" | undefined;
  /** A provider-executed call that wanted leave first, and the answer it got. */
  approval?: { id: string; approved?: boolean | undefined; reason?: string | undefined } | undefined;
}

/** A source that the model cites. Shown to people, not sent back. */
export interface SourcePart extends PartBase {
  type: "source";
  sourceID: string;
  /** For a web source. */
  url?: string | undefined;
  title?: string | undefined;
  /** For a document source. */
  mime?: string | undefined;
  filename?: string | undefined;
  metadata?: ProviderMetadata | undefined;
}

/** Content of a kind that only its provider understands, e.g. a server-side compaction item. */
export interface CustomPart extends PartBase {
  type: "custom";
  /** `provider.kind`. */
  kind: `${string}.${string}`;
  metadata?: ProviderMetadata | undefined;
}

/** A task for a subagent, given by the caller and not by the model. */
export interface SubtaskPart extends PartBase {
  type: "subtask";
  prompt: string;
  description: string;
  agent: string;
  model?: ModelRef | undefined;
  command?: string | undefined;
}

/** The user named an agent. */
export interface AgentPart extends PartBase {
  type: "agent";
  name: string;
  source?: { value: string; start: number; end: number } | undefined;
}

/** Marks the place of a compaction: its message's summary stands for everything before the tail. */
export interface CompactionPart extends PartBase {
  type: "compaction";
  auto: boolean;
  overflow?: boolean | undefined;
  /** First message of the tail that stays verbatim. */
  tail_start_id?: string | undefined;
  /** Unanswered prompts that stay verbatim although they are older than the tail, as they are what is being worked on. */
  kept?: string[] | undefined;
  /** What tools keep for their later calls, by tool, as it stood when the messages that said so were hidden. */
  toolStates?: JSONObject | undefined;
}

/** Start of a model step. */
export interface StepStartPart extends PartBase {
  type: "step-start";
  snapshot?: string | undefined;
}

/** End of a model step, with what it used. */
export interface StepFinishPart extends PartBase {
  type: "step-finish";
  /** The finish reason. */
  reason: string;
  /** The provider's own word for it. */
  rawReason?: string | undefined;
  snapshot?: string | undefined;
  cost: number;
  tokens: Tokens;
  /** Metadata of the whole call. */
  metadata?: ProviderMetadata | undefined;
}

/** A failed attempt that was retried. */
export interface RetryPart extends PartBase {
  type: "retry";
  attempt: number;
  error: MessageError;
  time: { created: number };
}

/** Ids of host snapshots around a step. */
export interface PatchPart extends PartBase {
  type: "patch";
  hash: string;
  files: string[];
  metadata?: JSONObject | undefined;
}

export type Part =
  | TextPart
  | ReasoningPart
  | FilePart
  | ToolPart
  | SourcePart
  | CustomPart
  | SubtaskPart
  | AgentPart
  | CompactionPart
  | StepStartPart
  | StepFinishPart
  | RetryPart
  | PatchPart;

export type PartType = Part["type"];
