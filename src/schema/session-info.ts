import { z } from "zod";
import type { SessionInfo, Todo } from "../message/session-info.ts";
import { jsonObjectSchema } from "./json.ts";
import { modelRefSchema } from "./model-ref.ts";
import { permissionRuleSchema } from "./permission-rule.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";
import { tokensSchema } from "./tokens.ts";

/** One entry of a session's to-do list. */
export const todoSchema = storedObject({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  priority: z.enum(["high", "medium", "low"]),
} satisfies ShapeOf<Todo>);

const revertSchema = storedObject({
  messageID: z.string(),
  partID: z.string().optional(),
  snapshot: z.string().optional(),
} satisfies ShapeOf<NonNullable<SessionInfo["revert"]>>);

/** The stored row of a session. */
export const sessionInfoSchema = storedObject({
  id: z.string(),
  parentID: z.string().optional(),
  rootID: z.string(),
  title: z.string(),
  agent: z.string(),
  model: modelRefSchema.optional(),
  directory: z.string().optional(),
  projectID: z.string().optional(),
  permission: z.array(permissionRuleSchema),
  todos: z.array(todoSchema),
  revert: revertSchema.optional(),
  metadata: jsonObjectSchema,
  cost: z.number(),
  tokens: tokensSchema,
  time: storedObject({ created: z.number(), updated: z.number() } satisfies ShapeOf<SessionInfo["time"]>),
  seq: z.int().nonnegative(),
} satisfies ShapeOf<SessionInfo>);
