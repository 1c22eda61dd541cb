import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4ToolChoice } from "@ai-sdk/provider";
import type { ModelProfile } from "../../message/model-profile.ts";
import type { ProcessInput } from "../step/process-input.ts";
import type { CatalogEntry } from "./tool-catalog.ts";

/** Stands for the tools of a history that are not offered any more. A call of it is answered like any unknown tool. */
const placeholder: LanguageModelV4FunctionTool = {
  type: "function",
  name: "no_tools_available",
  description: "No tools are available at present. Do not call this.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
};

/**
 * The tools of a request, and the tool choice. Some providers refuse a history that has calls when no tool is defined, as
 * when all are denied for one prompt, or when the session was opened by an agent without tools.
 */
export function offeredTools(entries: readonly CatalogEntry[], { messages, toolChoice = { type: "auto" } }: ProcessInput, { toolDefinitionsNeeded, toolChoiceNone }: ModelProfile): Pick<LanguageModelV4CallOptions, "tools" | "toolChoice"> {
  const none: LanguageModelV4ToolChoice = { type: toolChoiceNone ? "none" : "auto" };
  if (entries.length > 0) return { tools: entries.map(({ definition }) => definition), toolChoice: toolChoice.type === "none" ? none : toolChoice };
  return toolDefinitionsNeeded && hasCalls(messages) ? { tools: [placeholder], toolChoice: none } : {};
}

function hasCalls(messages: LanguageModelV4Prompt): boolean {
  return messages.some((message) => message.role === "assistant" && message.content.some((part) => part.type === "tool-call"));
}
