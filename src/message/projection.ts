import type { WithParts } from "./message.ts";
import type { AssistantContent, ModelMessage, UserContent } from "./model-prompt.ts";
import { createContext, type ProjectionOptions, type ProjectionTarget } from "./projection-context.ts";
import { isReadable } from "./is-readable.ts";
import { projectAssistant } from "./project-assistant.ts";
import { projectUser } from "./project-user.ts";

/**
 * A history that grows, projected for one model: each message is converted once.
 *
 * @example
 * const projection = createProjection(model)
 * for (const message of history) projection.add(message)
 * await model.doStream({ prompt: [system, ...projection.request()] })
 */
export interface Projection {
  /**
   * The messages so far. Grows only: adding appends, or replaces the last user message by a longer one where roles must
   * alternate. Take a copy (`request()`) before you hand it out.
   */
  readonly messages: readonly ModelMessage[];
  /** Takes the next message of the history. It must be finished: what is added is never looked at again. */
  add(message: WithParts): void;
  /** The messages as a request: a new array, which ends in a way that the model accepts. */
  request(): ModelMessage[];
}

// Labelled as context, and no sentence that could be answered instead of the user.
const openingNote: UserContent = { type: "text", text: "[Context: earlier messages are not shown.]" };
const endNote: UserContent = { type: "text", text: "[Context: the message above ended here.]" };
const bridge: AssistantContent = { type: "text", text: "Done." };

/**
 * Starts a projection.
 *
 * @param target the model that will be called, or bare wire rules
 */
export function createProjection(target: ProjectionTarget, options: ProjectionOptions = {}): Projection {
  const context = createContext(target, options);
  const { profile } = context;
  const messages: ModelMessage[] = [];

  const addUser = (content: UserContent[]): void => {
    const last = messages.at(-1);
    if (last?.role === "user" && profile.alternation) {
      // A new message: requests that were sent hold the old one.
      messages[messages.length - 1] = { role: "user", content: [...last.content, ...content] };
      return;
    }
    if (last?.role === "tool" && !profile.userAfterToolResult) messages.push({ role: "assistant", content: [{ ...bridge }] });
    messages.push({ role: "user", content });
  };

  const addAssistant = (content: AssistantContent[]): void => {
    const last = messages.at(-1);
    if (last === undefined) addUser([{ ...openingNote }]);
    // The same note that a request ends with, so that the request stays a prefix of the next one.
    else if (last.role === "assistant" && (profile.alternation || !profile.trailingAssistant)) addUser([{ ...endNote }]);
    messages.push({ role: "assistant", content });
  };

  return {
    messages,
    add({ info, parts: stored }) {
      const parts = stored.every(isReadable) ? stored : stored.filter(isReadable);
      if (info.role === "user") {
        const content = info.state === undefined ? projectUser(parts, context) : [];
        if (content.length > 0) addUser(content);
        return;
      }
      for (const { content, results, after } of projectAssistant(info, parts, context)) {
        if (content.length > 0) addAssistant(content);
        if (results.length > 0) messages.push({ role: "tool", content: results });
        if (after.length > 0) addUser(after);
      }
    },
    request() {
      const endsOpen = messages.at(-1)?.role === "assistant" && !profile.trailingAssistant;
      return endsOpen ? [...messages, { role: "user", content: [{ ...endNote }] }] : [...messages];
    },
  };
}
