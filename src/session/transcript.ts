import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { ModelProfile } from "../message/model-profile.ts";
import type { ModelRef } from "../message/model-ref.ts";
import { createProjection, type Projection } from "../message/projection.ts";
import type { Storage } from "../storage/storage.ts";

const pageSize = 200;

/**
 * The visible messages of a session in memory, oldest first, and what a model is shown of them: each message is converted
 * once, so that a step costs what is new and not what is there.
 */
export class Transcript {
  readonly entries: WithParts[];
  /** The session's `seq` that this is the transcript of. */
  seq: number;
  #projection: { key: string; projection: Projection; count: number } | undefined;

  constructor(entries: WithParts[], seq: number) {
    this.entries = entries;
    this.seq = seq;
  }

  static async read(storage: Storage, sessionID: string, seq: number): Promise<Transcript> {
    const newestFirst: WithParts[] = [];
    let before: string | undefined;
    do {
      const page = await storage.listMessages(sessionID, { before, limit: pageSize });
      newestFirst.push(...page.items);
      before = page.cursor;
    } while (before !== undefined);
    return new Transcript(newestFirst.reverse(), seq);
  }

  get newest(): WithParts | undefined {
    return this.entries.at(-1);
  }

  /** The place behind the newest message. */
  get nextPosition(): number {
    return (this.newest?.info.position ?? 0) + 1;
  }

  add(entry: WithParts): void {
    this.entries.push(entry);
  }

  /** Replaces the newest message, which must not have been shown to a model yet. */
  replaceNewest(entry: WithParts): void {
    this.entries[this.entries.length - 1] = entry;
  }

  /** Takes over the outcome of a prompt, which no model is shown. */
  note(prompt: UserMessage): void {
    const index = this.entries.findLastIndex(({ info }) => info.id === prompt.id);
    const entry = this.entries[index];
    if (entry !== undefined) this.entries[index] = { info: prompt, parts: entry.parts };
  }

  /** The messages of a request to this model. A new array; what is in it is shared and final. */
  request(model: ModelRef, profile: ModelProfile | undefined): LanguageModelV4Prompt {
    const key = `${model.providerID} ${model.modelID} ${profile?.name ?? ""}`;
    if (this.#projection?.key !== key) {
      const projection = profile === undefined ? createProjection(model) : createProjection(profile, { model });
      this.#projection = { key, projection, count: 0 };
    }
    const state = this.#projection;
    for (const entry of this.entries.slice(state.count)) state.projection.add(entry);
    state.count = this.entries.length;
    return state.projection.request();
  }
}
