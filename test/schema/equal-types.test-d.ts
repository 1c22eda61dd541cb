import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Ask, AskReply } from "../../src/message/ask.ts";
import type { FilePart } from "../../src/message/file-part.ts";
import type { JSONObject, JSONValue, ProviderMetadata } from "../../src/message/json.ts";
import type { MessageError, MessageErrorCode } from "../../src/message/message-error.ts";
import type * as message from "../../src/message/message.ts";
import type { ModelRef } from "../../src/message/model-ref.ts";
import type * as part from "../../src/message/part.ts";
import type { PermissionAction, PermissionRule } from "../../src/message/permission-rule.ts";
import type { SessionInfo, Todo } from "../../src/message/session-info.ts";
import type { Tokens } from "../../src/message/tokens.ts";
import type * as tool from "../../src/message/tool-state.ts";
import type * as schema from "../../src/schema/index.ts";

/** Each schema's stored type, by the schema's name. */
type Inferred = { [Name in keyof typeof schema]: z.infer<(typeof schema)[Name]> };

/** The hand-written type that each schema must equal. A new schema without a line here does not compile. */
interface HandWritten {
  agentPartSchema: part.AgentPart;
  askReplySchema: AskReply;
  askSchema: Ask;
  assistantMessageSchema: message.AssistantMessage;
  compactionPartSchema: part.CompactionPart;
  customPartSchema: part.CustomPart;
  deliverySchema: message.Delivery;
  filePartSchema: FilePart;
  jsonObjectSchema: JSONObject;
  jsonValueSchema: JSONValue;
  messageErrorCodeSchema: MessageErrorCode;
  messageErrorSchema: MessageError;
  messageSchema: message.Message;
  modelOutputContentSchema: tool.ModelOutputContent;
  modelOutputSchema: tool.ModelOutput;
  modelRefSchema: ModelRef;
  outcomeSchema: message.Outcome;
  outcomeTypeSchema: message.OutcomeType;
  partSchema: part.Part;
  patchPartSchema: part.PatchPart;
  permissionActionSchema: PermissionAction;
  permissionRuleSchema: PermissionRule;
  providerMetadataSchema: ProviderMetadata;
  reasoningPartSchema: part.ReasoningPart;
  retryPartSchema: part.RetryPart;
  sessionInfoSchema: SessionInfo;
  sourcePartSchema: part.SourcePart;
  stepFinishPartSchema: part.StepFinishPart;
  stepStartPartSchema: part.StepStartPart;
  storedFormatSchema: message.StoredFormat;
  subtaskPartSchema: part.SubtaskPart;
  textPartSchema: part.TextPart;
  todoSchema: Todo;
  tokensSchema: Tokens;
  toolPartSchema: part.ToolPart;
  toolStateCompletedSchema: tool.ToolStateCompleted;
  toolStateErrorSchema: tool.ToolStateError;
  toolStatePendingSchema: tool.ToolStatePending;
  toolStateRunningSchema: tool.ToolStateRunning;
  toolStateSchema: tool.ToolState;
  userMessageSchema: message.UserMessage;
  withPartsSchema: message.WithParts;
}

test("every schema has a hand-written type and equals it in both directions, optional fields included", () => {
  expectTypeOf<Inferred>().toEqualTypeOf<HandWritten>();
});

test("the comparison notices a missing optional field, a narrower value and a wider one", () => {
  expectTypeOf<{ deep: { part: part.TextPart } }>().not.toEqualTypeOf<{ deep: { part: Omit<part.TextPart, "ignored"> } }>();
  expectTypeOf<{ action: PermissionAction }>().not.toEqualTypeOf<{ action: "allow" | "deny" }>();
  expectTypeOf<{ status: Ask["status"] }>().not.toEqualTypeOf<{ status: Ask["status"] | "expired" }>();
});
