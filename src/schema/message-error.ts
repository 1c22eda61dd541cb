import { z } from "zod";
import type { MessageError } from "../message/message-error.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

/** What kind of failure ended a model call or a turn. */
export const messageErrorCodeSchema = z.enum([
  "aborted",
  "auth",
  "bad-request",
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

/** An error as stored data. */
export const messageErrorSchema = storedObject({
  name: z.string(),
  message: z.string(),
  code: messageErrorCodeSchema,
  retryable: z.boolean(),
  statusCode: z.number().optional(),
  responseBody: z.string().optional(),
  retryAfterMs: z.number().optional(),
} satisfies ShapeOf<MessageError>);
