import type { LanguageModelV4Message } from "@ai-sdk/provider";

/**
 * A message as the model gets it, without system text. Assignable to the AI SDK's `LanguageModelV4Prompt` and to the
 * `ModelMessage` of `ai`.
 */
export type ModelMessage = Exclude<LanguageModelV4Message, { role: "system" }>;

export type UserModelMessage = Extract<ModelMessage, { role: "user" }>;
export type AssistantModelMessage = Extract<ModelMessage, { role: "assistant" }>;
export type ToolModelMessage = Extract<ModelMessage, { role: "tool" }>;

export type UserContent = UserModelMessage["content"][number];
export type AssistantContent = AssistantModelMessage["content"][number];
export type ToolContent = ToolModelMessage["content"][number];

export type ModelToolCall = Extract<AssistantContent, { type: "tool-call" }>;
export type ModelToolResult = Extract<AssistantContent, { type: "tool-result" }>;
export type ModelToolOutput = ModelToolResult["output"];
export type ModelFile = Extract<UserContent, { type: "file" }>;
