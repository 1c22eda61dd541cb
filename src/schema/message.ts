import { z } from "zod";
import type { Budget } from "../message/budget.ts";
import type { AssistantMessage, Outcome, StoredFormat, UserMessage, WithParts } from "../message/message.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { messageErrorSchema } from "./message-error.ts";
import { modelRefSchema } from "./model-ref.ts";
import { partSchema } from "./part.ts";
import { permissionRuleSchema } from "./permission-rule.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";
import { tokensSchema } from "./tokens.ts";

type FormatOf<Type extends StoredFormat["type"]> = Extract<StoredFormat, { type: Type }>;

/** The form that a prompt wants its answer in. */
export const storedFormatSchema = z.discriminatedUnion("type", [
  storedObject({ type: z.literal("text") } satisfies ShapeOf<FormatOf<"text">>),
  storedObject({
    type: z.literal("json_schema"),
    schema: jsonObjectSchema,
    retryCount: z.int().nonnegative(),
  } satisfies ShapeOf<FormatOf<"json_schema">>),
]);

/** How a prompt that arrives while the session is busy is delivered. */
export const deliverySchema = z.enum(["queue", "steer"]);

/** The word for how a prompt ended. */
export const outcomeTypeSchema = z.enum(["answered", "aborted", "rejected", "error", "limit", "cancelled"]);

/** How a prompt ended. */
export const outcomeSchema = storedObject({
  type: outcomeTypeSchema,
  error: messageErrorSchema.optional(),
  time: z.number(),
} satisfies ShapeOf<Outcome>);

/** A prompt. */
export const userMessageSchema = storedObject({
  id: z.string(),
  sessionID: z.string(),
  role: z.literal("user"),
  agent: z.string(),
  model: modelRefSchema,
  format: storedFormatSchema.optional(),
  system: z.string().optional(),
  permissions: z.array(permissionRuleSchema).optional(),
  traceID: z.string().optional(),
  delivery: deliverySchema.optional(),
  maxSteps: z.int().positive().optional(),
  budget: storedObject({ tokens: z.number().optional(), cost: z.number().optional(), durationMs: z.number().optional() } satisfies ShapeOf<Budget>).optional(),
  state: z.enum(["queued", "cancelled"]).optional(),
  position: z.int().nonnegative().optional(),
  outcome: outcomeSchema.optional(),
  time: storedObject({ created: z.number() } satisfies ShapeOf<UserMessage["time"]>),
} satisfies ShapeOf<UserMessage>);

/** One model call. */
export const assistantMessageSchema = storedObject({
  id: z.string(),
  sessionID: z.string(),
  role: z.literal("assistant"),
  parentID: z.string(),
  agent: z.string(),
  providerID: z.string(),
  modelID: z.string(),
  step: z.int().positive(),
  attempt: z.int().positive(),
  position: z.int().nonnegative(),
  finish: z.string().optional(),
  error: messageErrorSchema.optional(),
  summary: z.boolean().optional(),
  structured: jsonValueSchema.optional(),
  tokens: tokensSchema,
  cost: z.number(),
  dropped: storedObject({ tokens: tokensSchema, cost: z.number(), durationMs: z.number() } satisfies ShapeOf<NonNullable<AssistantMessage["dropped"]>>).optional(),
  time: storedObject({ created: z.number(), completed: z.number().optional() } satisfies ShapeOf<AssistantMessage["time"]>),
} satisfies ShapeOf<AssistantMessage>);

/** Any message. */
export const messageSchema = z.discriminatedUnion("role", [userMessageSchema, assistantMessageSchema]);

/** A message with its parts, in order. */
export const withPartsSchema = storedObject({ info: messageSchema, parts: z.array(partSchema) } satisfies ShapeOf<WithParts>);
