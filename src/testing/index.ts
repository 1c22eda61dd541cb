/** Entry `throughline/testing`: what a test of an agent, or of an adapter, needs. A line here is public API. */
export { crashAfter, CrashedError } from "./crash-after.ts";
export type { CrashingStorage, CrashOptions } from "./crash-after.ts";
export { CrashMatrixError, type CrashFailure } from "./crash-matrix/crash-matrix-error.ts";
export type { CrashAgentOptions, CrashContext, CrashPoint, CrashScenario, CrashStore } from "./crash-matrix/crash-scenario.ts";
export { crashMatrix, type CrashMatrixOptions, type CrashReport } from "./crash-matrix/index.ts";
export { faultyStorage } from "./faulty-storage.ts";
export type { FaultPlan, FaultyStorage, PlannedFault, RecordedRequest, StorageFault } from "./faulty-storage.ts";
export type { StorageMethod, StorageRequest } from "./intercept-storage.ts";
export { InvalidRequestError } from "./invalid-request-error.ts";
export { manualClock } from "./manual-clock.ts";
export type { ManualClock } from "./manual-clock.ts";
export type { ModelRequest } from "./model-request.ts";
export type {
  ReplyChunksOptions,
  ReplyCutOptions,
  ReplyErrorOptions,
  ReplyFileOptions,
  ReplyReasoningOptions,
  Reply,
  ReplyFinish,
  ReplyPiece,
  ReplySourceOptions,
  ReplyStallOptions,
  ReplyTextOptions,
  ReplyToolCallOptions,
} from "./reply-piece.ts";
export type { ReplyTokens, ReplyUsage } from "./reply-usage.ts";
export { reply } from "./reply.ts";
export { scriptedModel } from "./scripted-model.ts";
export type { Script, ScriptedModel, ScriptedModelOptions } from "./scripted-model.ts";
export { storageConformance, type Capability, type ConformanceOptions, type ConformanceRunner, type ConformanceStore } from "./storage-conformance/index.ts";
export { strictModel } from "./strict-model.ts";
export type { RequestViolation, StrictModel } from "./strict-model.ts";
export { UnexpectedModelCallError } from "./unexpected-model-call-error.ts";
export { UnusedRepliesError } from "./unused-replies-error.ts";
export type { RequestFinding, RequestRule } from "./validate-request.ts";
