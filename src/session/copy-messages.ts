import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ToolContext } from "../tools/tool-context.ts";

/** The messages of a request for a tool. A copy: what a tool changes in it must not reach the requests that follow. */
export function copyMessages(messages: LanguageModelV4Prompt): ToolContext["messages"] {
  // Two levels deep: what lies below belongs to stored rows, which are frozen. A copy has the type of its message; the
  // compiler cannot follow one through a union of roles.
  return messages.map((message) => (message.role === "system" ? message : ({ ...message, content: message.content.map((part) => ({ ...part })) } as typeof message)));
}
