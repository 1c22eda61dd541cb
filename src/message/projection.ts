import type { AssistantMessage, UserMessage, WithParts } from "./message.ts";
import { contextNote, createMessageList } from "./message-list.ts";
import type { ModelMessage } from "./model-prompt.ts";
import type { Part } from "./part.ts";
import { createContext, type ProjectionOptions, type ProjectionTarget } from "./projection-context.ts";
import { isReadable } from "./is-readable.ts";
import { projectAssistant, type ProjectedStep } from "./project-assistant.ts";
import { projectUser } from "./project-user.ts";
import { replaceMedia } from "./replace-media.ts";

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
   * The messages so far. Adding appends, or replaces the last user message by a longer one where roles must alternate.
   * Take a copy (`request()`) before you hand it out.
   */
  readonly messages: readonly ModelMessage[];
  /**
   * How often messages before the newest were changed, to make room for newer media. Between two changes each request is a
   * prefix of the next one.
   */
  revision(): number;
  /**
   * Takes the next message of the history. It must be finished: what is added is never looked at again.
   *
   * @param options - `stripMedia`: for this message, as for all of a projection
   */
  add(message: WithParts, options?: { stripMedia?: boolean | undefined }): void;
  /** The messages as a request: a new array, which ends in a way that the model accepts. */
  request(): ModelMessage[];
}

const summaryNote = "a summary of the earlier conversation follows.";

/**
 * Starts a projection.
 *
 * @param target the model that will be called, or bare wire rules
 */
export function createProjection(target: ProjectionTarget, options: ProjectionOptions = {}): Projection {
  const context = createContext(target, options);
  const list = createMessageList(context.profile);
  const { stripMedia } = context;
  let revision = 0;
  /** Index of the first message that may hold a medium that is still shown. */
  let mediaFrom = 0;
  /** The message that marks a compaction, until the next one shows whether its summary exists. */
  let compactionID: string | undefined;

  function addPrompt(info: UserMessage, parts: readonly Part[]): void {
    if (info.state !== undefined) return;
    const content = projectUser(parts, context);
    if (content.length > 0) list.addUser(content);
    if (parts.some(({ type }) => type === "compaction")) compactionID = info.id;
  }

  function addSteps(info: AssistantMessage, parts: readonly Part[], marked: string | undefined): void {
    const steps = projectAssistant(info, parts, context);
    const isAnnounced = info.summary === true && info.parentID === marked && steps.some(({ content }) => content.length > 0);
    if (isAnnounced) list.addUser([contextNote(summaryNote)]);
    for (let index = 0; index < steps.length; index += 1) {
      const { content, results, after } = steps[index] as ProjectedStep;
      if (content.length > 0) list.addAssistant(content);
      if (results.length > 0) list.addResults(results);
      if (after.length > 0) list.addUser(after);
    }
  }

  return {
    messages: list.messages,
    revision: () => revision,
    add({ info, parts: stored }, own) {
      context.stripMedia = stripMedia || own?.stripMedia === true;
      const parts = stored.every(isReadable) ? stored : stored.filter(isReadable);
      const marked = compactionID;
      compactionID = undefined;
      if (info.role === "user") addPrompt(info, parts);
      else addSteps(info, parts, marked);
      const evicted = context.media.evict();
      if (evicted === undefined) return;
      mediaFrom = replaceMedia(list.messages, evicted, mediaFrom);
      revision += 1;
    },
    request: () => list.request(),
  };
}
