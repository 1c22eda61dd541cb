import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ToolContext } from "../../tools/tool-context.ts";

/** A copy of a request's messages for foreign code: what it changes in it must not reach the requests that follow. */
export function copyMessages(messages: LanguageModelV4Prompt): ToolContext["messages"] {
  return structuredClone(messages);
}
