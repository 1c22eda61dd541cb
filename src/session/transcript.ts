import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { compactionOf } from "../compaction/compaction-message.ts";
import { createMessageEstimator, type MessageEstimator } from "../compaction/estimate-tokens.ts";
import { createContextMeter, type ContextMeter } from "../compaction/measure-context.ts";
import { WindowReader } from "../compaction/window-reader.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { ModelProfile } from "../message/model-profile.ts";
import type { ModelRef } from "../message/model-ref.ts";
import type { ToolPart } from "../message/part.ts";
import type { ProjectionOptions } from "../message/projection-context.ts";
import { createProjection, type Projection } from "../message/projection.ts";
import type { Storage } from "../storage/storage.ts";

/** The first page is small, as behind a compaction little is visible. Each is twice as large as the one before. */
const firstPageSize = 50;
const largestPageSize = 200;

/**
 * The visible messages of a session in memory, oldest first, and what a model is shown of them: each message is converted
 * once, so that a step costs what is new and not what is there.
 */
export class Transcript {
  readonly entries: WithParts[];
  /** The session's `seq` that this is the transcript of. */
  seq: number;
  #position: number;
  #projection: { key: string; projection: Projection; count: number } | undefined;
  #estimate: MessageEstimator | undefined;
  #meter: ContextMeter | undefined;

  constructor(entries: WithParts[], seq: number) {
    this.entries = entries;
    this.seq = seq;
    this.#position = 0;
    for (let index = 0; index < entries.length; index += 1) this.#reach(entries[index] as WithParts);
  }

  static async read(storage: Storage, sessionID: string, seq: number): Promise<Transcript> {
    const reader = new WindowReader();
    let before: string | undefined;
    let limit = firstPageSize;
    do {
      const { items, cursor } = await storage.listMessages(sessionID, { before, limit });
      if (items.some((entry) => reader.add(entry))) break;
      before = cursor;
      limit = Math.min(limit * 2, largestPageSize);
    } while (before !== undefined);
    return new Transcript(reader.window(), seq);
  }

  /** How often the newest requests had sent messages changed, to make room for newer media. */
  get revision(): number {
    return this.#projection?.projection.revision() ?? 0;
  }

  get newest(): WithParts | undefined {
    return this.entries.at(-1);
  }

  /** The place behind all messages. Not behind the newest one that is shown: a compaction is newer than its tail. */
  get nextPosition(): number {
    return this.#position + 1;
  }

  /** Estimates messages, each once. */
  get estimate(): MessageEstimator {
    return (this.#estimate ??= createMessageEstimator());
  }

  /** Measures the next request. */
  get meter(): ContextMeter {
    return (this.#meter ??= createContextMeter(this.estimate));
  }

  add(entry: WithParts): void {
    this.entries.push(entry);
    this.#reach(entry);
  }

  /** Replaces the newest message, which must not have been shown to a model yet. */
  replaceNewest(entry: WithParts): void {
    this.entries[this.entries.length - 1] = entry;
  }

  /** Takes the newest message away. It must not have been shown to a model: its attempt failed. */
  dropNewest(): void {
    this.entries.pop();
  }

  /** What is visible from now on. Later requests begin anew. */
  replace(window: readonly WithParts[]): void {
    this.entries.length = 0;
    for (const entry of window) this.add(entry);
    this.#projection = undefined;
  }

  /** Shows these parts as they are now, by their ids. Later requests begin anew. */
  replaceParts(parts: ReadonlyMap<string, ToolPart>): void {
    this.entries.forEach((entry, index) => {
      if (entry.parts.some(({ id }) => parts.has(id))) this.entries[index] = { info: entry.info, parts: entry.parts.map((part) => parts.get(part.id) ?? part) };
    });
    this.#projection = undefined;
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
    if (this.#projection?.key !== key) this.#projection = { key, projection: this.project([], model, profile), count: 0 };
    const state = this.#projection;
    this.#show(this.entries, state.count, state.projection);
    state.count = this.entries.length;
    return state.projection.request();
  }

  /** Some of the messages, as a model is shown them. */
  project(entries: readonly WithParts[], model: ModelRef, profile: ModelProfile | undefined, options: ProjectionOptions = {}): Projection {
    const projection = profile === undefined ? createProjection(model, options) : createProjection(profile, { ...options, model });
    this.#show(entries, 0, projection);
    return projection;
  }

  /** What made a request too large may be media, which no summary makes smaller: those from before are described. */
  #show(entries: readonly WithParts[], from: number, projection: Projection): void {
    const boundary = this.entries[0];
    const refusedBefore = boundary !== undefined && compactionOf(boundary)?.overflow === true ? (boundary.info.position ?? 0) : 0;
    for (let index = from; index < entries.length; index += 1) {
      const entry = entries[index] as WithParts;
      projection.add(entry, (entry.info.position ?? 0) < refusedBefore ? { stripMedia: true } : undefined);
    }
  }

  #reach({ info }: WithParts): void {
    if (info.position !== undefined && info.position > this.#position) this.#position = info.position;
  }
}
