/**
 * The core of Throughline: agents, sessions, tools, permissions and the storage port. A name listed here is public API.
 *
 * @module
 */
export { Agent, type SessionOptions } from "./agent/agent.ts";
export type { AgentOptions } from "./agent/agent-options.ts";
export { createAgent } from "./agent/create-agent.ts";
export { CompactionFailedError } from "./session/compaction/compaction-failed-error.ts";
export type { CompactionResult } from "./session/compaction/compaction-result.ts";
export type { ContextLimitsOption, SessionCompactionOptions } from "./session/compaction/compaction-options.ts";
export type { ContextLimits } from "./compaction/context-budget.ts";
export type { CompactionContext, CompactionPolicy, CompactionPolicyOptions } from "./compaction/compaction-policy.ts";
export type { ContextMeasure } from "./compaction/measure-context.ts";
export type { PruneChoice } from "./compaction/prune.ts";
export type { TailChoice } from "./compaction/select-tail.ts";
export { filterCompacted } from "./compaction/filter-compacted.ts";
export {
  AgentClosedError,
  AskNotFoundError,
  AskRejectedError,
  ConflictError,
  DuplicateToolError,
  InterruptedTurnError,
  InvalidArgumentError,
  InvalidToolError,
  LeaseLostError,
  MissingPackageError,
  NothingToResumeError,
  PromptNotFoundError,
  SessionClosedError,
  SessionNotFoundError,
  StorageDamagedError,
  StorageError,
  StorageNewerError,
  ThroughlineError,
  type ErrorCode,
} from "./errors.ts";
export type { Ask, AskReply } from "./message/ask.ts";
export type { FilePart } from "./message/file-part.ts";
export type { IDPrefix, IDSource } from "./message/ids.ts";
export type { JSONObject, JSONValue, ProviderMetadata } from "./message/json.ts";
export type { Budget } from "./message/budget.ts";
export type { MessageError, MessageErrorCode, ModelError } from "./message/message-error.ts";
export type { AssistantMessage, Delivery, Message, Outcome, OutcomeType, StoredFormat, UserMessage, WithParts } from "./message/message.ts";
export type { ModelProfile } from "./message/model-profile.ts";
export { modelProfiles } from "./message/model-profiles.ts";
export type { ModelMessage } from "./message/model-prompt.ts";
export type { ModelRef } from "./message/model-ref.ts";
export type {
  AgentPart,
  CompactionPart,
  CustomPart,
  Part,
  PartType,
  PatchPart,
  ReasoningPart,
  RetryPart,
  SourcePart,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  TextPart,
  ToolPart,
} from "./message/part.ts";
export type { PermissionAction, PermissionRule } from "./message/permission-rule.ts";
export { profileFor } from "./message/profile-for.ts";
export type { ProjectionOptions, ProjectionTarget } from "./message/projection-context.ts";
export type { SessionInfo, Todo } from "./message/session-info.ts";
export { toModelMessages } from "./message/to-model-messages.ts";
export type { Tokens } from "./message/tokens.ts";
export {
  InvalidTransitionError,
  toolStateTransitions,
  type ModelOutput,
  type ToolState,
  type ToolStateCompleted,
  type ToolStateError,
  type ToolStatePending,
  type ToolStateRunning,
  type ToolStatus,
} from "./message/tool-state.ts";
export type { Finding, FindingRule } from "./message/finding.ts";
export { validateModelMessages } from "./message/validate-model-messages.ts";
export type { ModelPrices, Prices, PriceTier, TokenPrices } from "./model/cost.ts";
export type { LanguageModel } from "./model/language-model.ts";
export type { PatternDecision, PermissionDecision, PermissionPolicy, PermissionRequest } from "./permission/permission-policy.ts";
export { permissionRules } from "./permission/permission-rules.ts";
export type { PermissionFunction, PermissionSource } from "./permission/to-policy.ts";
export type { Instructions, InstructionsContext } from "./session/agent-context.ts";
export type { RetryOptions } from "./session/retry/retry-options.ts";
export type { AskOptions } from "./session/asks/ask-options.ts";
export type { Timeouts } from "./session/defaults.ts";
export type { EventName, SessionListener } from "./session/event-hub.ts";
export type { SessionEvent, SessionEventMap, SessionEventType, SessionStatus } from "./session/events.ts";
export type { CallSettings, ProcessInput, ProcessResult } from "./session/step/process-input.ts";
export type { ProcessorOptions } from "./session/step/processor-options.ts";
export { Processor } from "./session/processor.ts";
export type { PromptInput, PromptPart } from "./session/prompt/prompt-input.ts";
export type { PromptFile, ResolvedFile, ResolveFile } from "./session/prompt/resolve-file.ts";
export type { PromptOptions } from "./session/prompt/prompt-options.ts";
export { QueueFullError } from "./session/prompt/queue-full-error.ts";
export type { SessionTool } from "./session/calls/session-tool.ts";
export type { MessagePage } from "./session/read-messages.ts";
export { Session } from "./session/session.ts";
export type { Format, OutputOf } from "./session/structured-output/format.ts";
export type { SessionReset, StreamItem, StreamOptions } from "./session/stream/stream-item.ts";
export { TurnAbortedError, TurnFailedError, type ToolCallError, type TurnResult } from "./session/turn/turn-result.ts";
export { Turn } from "./session/turn/turn.ts";
export { memoryStorage } from "./storage/memory-storage.ts";
export type {
  AbortRequest,
  Artifact,
  Batch,
  Change,
  ChangePage,
  Damage,
  GuardedOperation,
  Inbox,
  Lease,
  Operation,
  OperationOf,
  OwnerOperation,
  Page,
  SessionQuery,
  Storage,
} from "./storage/storage.ts";
export { defineTool } from "./tools/define-tool.ts";
export type { JSONSchema } from "./tools/json-schema.ts";
export type { StandardSchema } from "./tools/standard-schema.ts";
export type { ToolAnswer, ToolContext, ToolProgress, ToolQuestion } from "./tools/tool-context.ts";
export { createToolRegistry, type RegisteredTool, type ToolRecord, type ToolRegistry } from "./tools/tool-registry.ts";
export type { AnyTool, Tool, ToolInput, ToolPermission, ToolReturn } from "./tools/tool.ts";
export type { Clock } from "./util/clock.ts";
export type { Logger, LogRecord } from "./util/logger.ts";
