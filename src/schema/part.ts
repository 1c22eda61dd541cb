import { z } from "zod";
import type {
  AgentPart,
  CompactionPart,
  CustomPart,
  PatchPart,
  ReasoningPart,
  RetryPart,
  SourcePart,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  TextPart,
  ToolPart,
} from "../message/part.ts";
import { filePartSchema, partBaseShape } from "./file-part.ts";
import { jsonObjectSchema, providerMetadataSchema } from "./json.ts";
import { messageErrorSchema } from "./message-error.ts";
import { modelRefSchema } from "./model-ref.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";
import { tokensSchema } from "./tokens.ts";
import { toolStateSchema } from "./tool-state.ts";

const spanSchema = storedObject({ start: z.number(), end: z.number().optional() } satisfies ShapeOf<ReasoningPart["time"]>);

/** Text of the user or of the model. */
export const textPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("text"),
  text: z.string(),
  synthetic: z.boolean().optional(),
  ignored: z.boolean().optional(),
  time: spanSchema.optional(),
  metadata: providerMetadataSchema.optional(),
} satisfies ShapeOf<TextPart>);

/** The model's reasoning. */
export const reasoningPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("reasoning"),
  text: z.string(),
  metadata: providerMetadataSchema.optional(),
  time: spanSchema,
} satisfies ShapeOf<ReasoningPart>);

const approvalSchema = storedObject({
  id: z.string(),
  approved: z.boolean().optional(),
  reason: z.string().optional(),
} satisfies ShapeOf<NonNullable<ToolPart["approval"]>>);

/** One tool call and its result. */
export const toolPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("tool"),
  callID: z.string(),
  tool: z.string(),
  state: toolStateSchema,
  metadata: providerMetadataSchema.optional(),
  resultMetadata: providerMetadataSchema.optional(),
  textInput: z.boolean().optional(),
  providerExecuted: z.boolean().optional(),
  deferred: z.enum(["call", "result"]).optional(),
  approval: approvalSchema.optional(),
} satisfies ShapeOf<ToolPart>);

/** A source that the model cites. */
export const sourcePartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("source"),
  sourceID: z.string(),
  url: z.string().optional(),
  title: z.string().optional(),
  mime: z.string().optional(),
  filename: z.string().optional(),
  metadata: providerMetadataSchema.optional(),
} satisfies ShapeOf<SourcePart>);

/** Content of a kind that only its provider understands. */
export const customPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("custom"),
  kind: z.templateLiteral([z.string(), ".", z.string()]),
  metadata: providerMetadataSchema.optional(),
} satisfies ShapeOf<CustomPart>);

/** A task for a subagent, given by the caller. */
export const subtaskPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: modelRefSchema.optional(),
  command: z.string().optional(),
} satisfies ShapeOf<SubtaskPart>);

const agentSourceSchema = storedObject({
  value: z.string(),
  start: z.number(),
  end: z.number(),
} satisfies ShapeOf<NonNullable<AgentPart["source"]>>);

/** The user named an agent. */
export const agentPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("agent"),
  name: z.string(),
  source: agentSourceSchema.optional(),
} satisfies ShapeOf<AgentPart>);

/** The place of a compaction. */
export const compactionPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("compaction"),
  auto: z.boolean(),
  overflow: z.boolean().optional(),
  tail_start_id: z.string().optional(),
  kept: z.array(z.string()).optional(),
  toolStates: jsonObjectSchema.optional(),
} satisfies ShapeOf<CompactionPart>);

/** Start of a model step. */
export const stepStartPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("step-start"),
  snapshot: z.string().optional(),
} satisfies ShapeOf<StepStartPart>);

/** End of a model step, with what it used. */
export const stepFinishPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("step-finish"),
  reason: z.string(),
  rawReason: z.string().optional(),
  snapshot: z.string().optional(),
  cost: z.number(),
  tokens: tokensSchema,
  metadata: providerMetadataSchema.optional(),
} satisfies ShapeOf<StepFinishPart>);

/** A failed attempt that was retried. */
export const retryPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("retry"),
  attempt: z.int().positive(),
  error: messageErrorSchema,
  time: storedObject({ created: z.number() } satisfies ShapeOf<RetryPart["time"]>),
} satisfies ShapeOf<RetryPart>);

/** Ids of host snapshots around a step. */
export const patchPartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("patch"),
  hash: z.string(),
  files: z.array(z.string()),
  metadata: jsonObjectSchema.optional(),
} satisfies ShapeOf<PatchPart>);

/** Any part of a message. */
export const partSchema = z.discriminatedUnion("type", [
  textPartSchema,
  reasoningPartSchema,
  filePartSchema,
  toolPartSchema,
  sourcePartSchema,
  customPartSchema,
  subtaskPartSchema,
  agentPartSchema,
  compactionPartSchema,
  stepStartPartSchema,
  stepFinishPartSchema,
  retryPartSchema,
  patchPartSchema,
]);
