import { isImage } from "./medium.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { AssistantContent, ModelMessage, ToolContent, UserContent } from "./model-prompt.ts";
import { separateTexts } from "./separate-texts.ts";

/** The messages of a request, put together so that their order is what the wire takes. */
export interface MessageList {
  readonly messages: ModelMessage[];
  addUser(content: UserContent[]): void;
  addAssistant(content: AssistantContent[]): void;
  addResults(content: ToolContent[]): void;
  /** The messages as a request: a new array, which ends in a way that the model accepts. */
  request(): ModelMessage[];
}

/** Labelled as context, and no sentence that could be answered instead of the user. */
export function contextNote(text: string): UserContent {
  return { type: "text", text: `[Context: ${text}]` };
}

const openingNote = "earlier messages are not shown.";
const endNote = "the message above ended here.";
const documentNote = "a document is attached.";

export function createMessageList(profile: ModelProfile): MessageList {
  const messages: ModelMessage[] = [];
  const separate = profile.textsJoined ? separateTexts : <C>(content: C[]): C[] => content;

  function addUser(added: UserContent[]): void {
    const last = messages.at(-1);
    const content = profile.documentsNeedText && lacksText(added) ? [contextNote(documentNote), ...added] : added;
    if (last?.role === "user" && profile.alternation) {
      // A new message: requests that were sent hold the old one.
      messages[messages.length - 1] = { role: "user", content: [...last.content, ...separate(content, last.content)] };
      return;
    }
    if (last?.role === "tool" && !profile.userAfterToolResult) messages.push({ role: "assistant", content: [{ type: "text", text: "Done." }] });
    messages.push({ role: "user", content: separate(content) });
  }

  return {
    messages,
    addUser,
    addAssistant(content) {
      const last = messages.at(-1);
      if (last === undefined) addUser([contextNote(openingNote)]);
      // The same note that a request ends with, so that the request stays a prefix of the next one.
      else if (last.role === "assistant" && (profile.alternation || !profile.trailingAssistant)) addUser([contextNote(endNote)]);
      messages.push({ role: "assistant", content: separate(content) });
    },
    addResults(content) {
      messages.push({ role: "tool", content });
    },
    request() {
      const endsOpen = messages.at(-1)?.role === "assistant" && !profile.trailingAssistant;
      return endsOpen ? [...messages, { role: "user", content: [contextNote(endNote)] }] : [...messages];
    },
  };
}

/** Whether there is a document, but no text beside it. */
function lacksText(content: readonly UserContent[]): boolean {
  return content.some((part) => part.type === "file" && !isImage(part.mediaType)) && !content.some(({ type }) => type === "text");
}
