/**
 * Zod schemas of everything that a session stores, equal to the types of `throughline` by the compiler. Use them where
 * rows cross a border you do not trust: an import, an HTTP body, a storage adapter under test. The engine itself does
 * not load them.
 *
 * A key that a schema does not know is kept. A part type, status or code that it does not know is refused.
 *
 * A line here is public API.
 *
 * @example
 * import { withPartsSchema } from "throughline/schema"
 * const messages = withPartsSchema.array().parse(JSON.parse(text))
 *
 * @module
 */
export { askReplySchema, askSchema } from "./ask.ts";
export { filePartSchema } from "./file-part.ts";
export { jsonObjectSchema, jsonValueSchema, providerMetadataSchema } from "./json.ts";
export { messageErrorCodeSchema, messageErrorSchema } from "./message-error.ts";
export {
  assistantMessageSchema,
  deliverySchema,
  messageSchema,
  outcomeSchema,
  outcomeTypeSchema,
  storedFormatSchema,
  userMessageSchema,
  withPartsSchema,
} from "./message.ts";
export { modelOutputContentSchema, modelOutputSchema } from "./model-output.ts";
export { modelRefSchema } from "./model-ref.ts";
export {
  agentPartSchema,
  compactionPartSchema,
  customPartSchema,
  partSchema,
  patchPartSchema,
  reasoningPartSchema,
  retryPartSchema,
  sourcePartSchema,
  stepFinishPartSchema,
  stepStartPartSchema,
  subtaskPartSchema,
  textPartSchema,
  toolPartSchema,
} from "./part.ts";
export { permissionActionSchema, permissionRuleSchema } from "./permission-rule.ts";
export { sessionInfoSchema, todoSchema } from "./session-info.ts";
export { tokensSchema } from "./tokens.ts";
export {
  toolStateCompletedSchema,
  toolStateErrorSchema,
  toolStatePendingSchema,
  toolStateRunningSchema,
  toolStateSchema,
} from "./tool-state.ts";
