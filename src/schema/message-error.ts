import { z } from "zod";
import type { MessageError, ModelError } from "../message/message-error.ts";
import { modelRefSchema } from "./model-ref.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

/** What kind of failure ended a model call or a turn. */
export const messageErrorCodeSchema = z.enum([
  "aborted",
  "auth",
  "bad-request",
  "budget",
  "content-filter",
  "empty",
  "interrupted",
  "length",
  "network",
  "not-found",
  "overflow",
  "overloaded",
  "quota",
  "rate-limit",
  "rejected",
  "repetition",
  "steps",
  "storage",
  "structured-output",
  "timeout",
  "truncated-stream",
  "unknown",
]);

const fields = {
  name: z.string(),
  message: z.string(),
  code: messageErrorCodeSchema,
  retryable: z.boolean(),
  statusCode: z.number().optional(),
  responseBody: z.string().optional(),
  retryAfterMs: z.number().optional(),
} satisfies ShapeOf<ModelError>;

/** An error as stored data. */
export const messageErrorSchema = storedObject({
  ...fields,
  causes: z.array(storedObject({ model: modelRefSchema, error: storedObject(fields) })).optional(),
} satisfies ShapeOf<MessageError>);
