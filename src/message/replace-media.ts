import type { MediaContent } from "./media-window.ts";
import type { AssistantContent, ModelMessage, ToolContent, UserContent } from "./model-prompt.ts";
import { outputOf } from "./project-tool-output.ts";

/**
 * Puts texts in the place of media, in new messages: requests that were sent hold the old ones.
 *
 * @param texts what has to go, and what takes its place; empty afterwards
 * @param from index of the first message that may hold any
 * @returns index of the last message that held one
 */
export function replaceMedia(messages: ModelMessage[], texts: Map<MediaContent, string>, from: number): number {
  let last = from;
  const take: Take = (content) => {
    const text = texts.get(content);
    texts.delete(content);
    return text;
  };
  for (let index = from; texts.size > 0 && index < messages.length; index += 1) {
    const message = messages[index];
    const before = texts.size;
    const changed = message === undefined ? undefined : replaceIn(message, take);
    if (changed === undefined || texts.size === before) continue;
    messages[index] = changed;
    last = index;
  }
  return last;
}

type Take = (content: MediaContent) => string | undefined;

function replaceIn(message: ModelMessage, take: Take): ModelMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.content.map((part): UserContent => (part.type === "file" ? asText(part, take) : part)) };
    case "assistant":
      return { role: "assistant", content: message.content.flatMap((part) => replaceInAssistant(part, take)) };
    case "tool":
      return { role: "tool", content: message.content.map((part): ToolContent => (part.type === "tool-result" ? replaceInResult(part, take) : part)) };
  }
}

function replaceInAssistant(part: AssistantContent, take: Take): AssistantContent[] {
  if (part.type === "file") return [asText(part, take)];
  if (part.type === "tool-result") return [replaceInResult(part, take)];
  // Nobody but its model could have used it. What it led to stays.
  if (part.type === "reasoning-file" && take(part) !== undefined) return [];
  return [part];
}

function replaceInResult<P extends Extract<ToolContent, { type: "tool-result" }>>(part: P, take: Take): P {
  const { output } = part;
  if (output.type !== "content") return part;
  return { ...part, output: outputOf(output.value.map((item) => (item.type === "file" ? asText(item, take) : item))) };
}

function asText<P extends MediaContent>(part: P, take: Take): P | { type: "text"; text: string } {
  const text = take(part);
  return text === undefined ? part : { type: "text", text };
}
