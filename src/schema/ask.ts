import { z } from "zod";
import type { Ask, AskReply } from "../message/ask.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

type ReplyOf<Decision extends AskReply["decision"]> = Extract<AskReply, { decision: Decision }>;

/** A person's answer to an ask. */
export const askReplySchema = z.discriminatedUnion("decision", [
  storedObject({ decision: z.enum(["once", "always"]) }),
  storedObject({ decision: z.literal("reject"), message: z.string().optional() } satisfies ShapeOf<ReplyOf<"reject">>),
  storedObject({ decision: z.literal("answer"), answers: jsonValueSchema } satisfies ShapeOf<ReplyOf<"answer">>),
]);

/** A question to a person that a tool call waits for. */
export const askSchema = storedObject({
  id: z.string(),
  sessionID: z.string(),
  rootID: z.string(),
  messageID: z.string(),
  partID: z.string(),
  callID: z.string(),
  permission: z.string(),
  patterns: z.array(z.string()),
  always: z.array(z.string()),
  tool: z.string(),
  input: jsonObjectSchema,
  title: z.string(),
  impact: z.string().optional(),
  diff: z.string().optional(),
  reason: z.string().optional(),
  also: z.array(storedObject({ permission: z.string(), patterns: z.array(z.string()), always: z.array(z.string()) })).optional(),
  expires: z.number().optional(),
  status: z.enum(["open", "replied", "closed"]),
  reply: askReplySchema.optional(),
  time: storedObject({ created: z.number(), replied: z.number().optional() } satisfies ShapeOf<Ask["time"]>),
} satisfies ShapeOf<Ask>);
