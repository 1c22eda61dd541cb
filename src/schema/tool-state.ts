import { z } from "zod";
import type { ToolStateCompleted, ToolStateError, ToolStatePending, ToolStateRunning } from "../message/tool-state.ts";
import { filePartSchema } from "./file-part.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { modelOutputSchema } from "./model-output.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

const settledTimeSchema = storedObject({
  start: z.number(),
  end: z.number(),
  compacted: z.number().optional(),
} satisfies ShapeOf<ToolStateCompleted["time"]>);

/** Arguments are arriving, or the call waits for an answer to an ask. */
export const toolStatePendingSchema = storedObject({
  status: z.literal("pending"),
  input: jsonObjectSchema,
  raw: z.string(),
} satisfies ShapeOf<ToolStatePending>);

/** The tool runs. */
export const toolStateRunningSchema = storedObject({
  status: z.literal("running"),
  input: jsonObjectSchema,
  title: z.string().optional(),
  metadata: jsonObjectSchema.optional(),
  time: storedObject({ start: z.number() } satisfies ShapeOf<ToolStateRunning["time"]>),
} satisfies ShapeOf<ToolStateRunning>);

/** The call has its result. */
export const toolStateCompletedSchema = storedObject({
  status: z.literal("completed"),
  input: jsonObjectSchema,
  output: z.string(),
  title: z.string(),
  metadata: jsonObjectSchema,
  attachments: z.array(filePartSchema).optional(),
  modelOutput: modelOutputSchema.optional(),
  truncated: storedObject({ chars: z.number(), bytes: z.number(), lines: z.number(), artifactID: z.string().optional() } satisfies ShapeOf<NonNullable<ToolStateCompleted["truncated"]>>).optional(),
  kept: jsonValueSchema.optional(),
  time: settledTimeSchema,
} satisfies ShapeOf<ToolStateCompleted>);

/** The call failed, was refused or was interrupted. */
export const toolStateErrorSchema = storedObject({
  status: z.literal("error"),
  input: jsonObjectSchema,
  raw: z.string().optional(),
  error: z.string(),
  neverRan: z.boolean().optional(),
  rejected: z.boolean().optional(),
  metadata: jsonObjectSchema.optional(),
  modelOutput: modelOutputSchema.optional(),
  time: settledTimeSchema,
} satisfies ShapeOf<ToolStateError>);

/** Where a tool call stands. */
export const toolStateSchema = z.discriminatedUnion("status", [
  toolStatePendingSchema,
  toolStateRunningSchema,
  toolStateCompletedSchema,
  toolStateErrorSchema,
]);
