import { z } from "zod";
import type { PermissionRule } from "../message/permission-rule.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

/** What a permission rule decides. */
export const permissionActionSchema = z.enum(["allow", "deny", "ask"]);

/** One permission rule. */
export const permissionRuleSchema = storedObject({
  permission: z.string(),
  pattern: z.string().optional(),
  action: permissionActionSchema,
} satisfies ShapeOf<PermissionRule>);
