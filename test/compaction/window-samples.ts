import type { AssistantMessage, UserMessage, WithParts } from "../../src/message/message.ts";
import type { CompactionPart } from "../../src/message/part.ts";
import type { Tokens } from "../../src/message/tokens.ts";
import { assistant, completed, text, tool, user } from "../message/projection-samples.ts";

/** About so many estimated tokens of text. */
export function tokensOfText(tokens: number): string {
  return "word".repeat(tokens);
}

export const answered: Pick<UserMessage, "outcome"> = { outcome: { type: "answered", time: 1 } };

/** A transcript that grows: each message gets the next position. */
export class History {
  readonly entries: WithParts[] = [];

  /** A prompt, answered unless the fields say otherwise. */
  prompt(id: string, content = id, fields: Partial<UserMessage> = answered): this {
    return this.add(user([text(content)], { id, position: this.#next, ...fields }));
  }

  owed(id: string, content = id): this {
    return this.prompt(id, content, {});
  }

  answer(id: string, content = id, fields: Partial<AssistantMessage> = {}): this {
    return this.add(assistant([text(content)], { id, position: this.#next, parentID: this.#prompt, ...fields }));
  }

  /** A step with one call. */
  step(id: string, output: string, fields: Partial<AssistantMessage> = {}): this {
    return this.add(assistant([tool(`call_${id}`, completed(output))], { id, position: this.#next, parentID: this.#prompt, finish: "tool-calls", ...fields }));
  }

  /** A compaction message and its summary, as one commit writes them. */
  compact(id: string, fields: Partial<Omit<CompactionPart, "type">> = {}, summary: Partial<AssistantMessage> & { text?: string } = {}): this {
    const { text: said = `summary of ${id}`, ...info } = summary;
    this.add(user([{ type: "compaction", auto: true, ...fields }], { id, position: this.#next, ...answered }));
    return this.add(assistant([text(said)], { id: `${id}_summary`, position: this.#next, parentID: id, summary: true, ...info }));
  }

  get newestFirst(): WithParts[] {
    return [...this.entries].reverse();
  }

  add(entry: WithParts): this {
    this.entries.push(entry);
    return this;
  }

  get #next(): number {
    return this.entries.length + 1;
  }

  get #prompt(): string {
    return this.entries.findLast(({ info, parts }) => info.role === "user" && parts.every(({ type }) => type !== "compaction"))?.info.id ?? "none";
  }
}

export function usage(tokens: Partial<Omit<Tokens, "cache">> & { read?: number; write?: number }): Pick<AssistantMessage, "tokens"> {
  const { input = 0, output = 0, reasoning = 0, read = 0, write = 0 } = tokens;
  return { tokens: { input, output, reasoning, cache: { read, write } } };
}

export function idsOf(entries: readonly WithParts[]): string[] {
  return entries.map(({ info }) => info.id);
}
