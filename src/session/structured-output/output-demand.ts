import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage, StoredFormat, WithParts } from "../../message/message.ts";
import type { ToolPart } from "../../message/part.ts";
import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { compileInput, type CompiledInput } from "../../tools/compile-input.ts";
import { parseToolInput } from "../../tools/parse-tool-input.ts";
import type { ToolRegistry } from "../../tools/tool-registry.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";
import { outputToolDescription } from "../engine-notes.ts";
import { hasContent, hasUnseenResults } from "../owed.ts";
import { messageError } from "../step/step-ending.ts";
import type { Format } from "./format.ts";
import { jsonIn } from "./json-in.ts";

type WantedFormat = Extract<StoredFormat, { type: "json_schema" }>;

/** What a step has done for the answer that is wanted. */
export type OutputJudgement = { type: "given"; value: unknown } | { type: "missed"; problem: string; byCall: boolean };

/**
 * The structured answer that a turn's prompt wants. The model gives it as a call of a tool that is offered to this turn only;
 * one that writes the JSON as its text is understood, too. What was given, and how often it was missed, is told from the
 * turn's messages, so that it is the same after a crash.
 */
export class OutputDemand {
  readonly format: WantedFormat;
  /** What the schema made of the answer, in the process that heard it. */
  value: unknown;
  /** Why there will be no answer. */
  failure: MessageError | undefined;
  readonly #given: Format | undefined;
  readonly #tools: ToolRegistry;
  #input: Promise<CompiledInput> | undefined;
  #entry: Promise<CatalogEntry> | undefined;

  /** @param given the format as the caller gave it, where it is known here: only its own schema knows its transforms */
  constructor(format: WantedFormat, given: Format | undefined, tools: ToolRegistry) {
    this.format = format;
    this.#given = given;
    this.#tools = tools;
  }

  /** The tool's name: one that no tool of the host has. */
  get name(): string {
    const taken = new Set(this.#tools.list().map(({ name }) => name.toLowerCase()));
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? "StructuredOutput" : `StructuredOutput_${number}`;
      if (!taken.has(name.toLowerCase())) return name;
    }
  }

  /** The tool, as it is offered. */
  async entry(): Promise<CatalogEntry> {
    const { name } = this;
    const entry = await (this.#entry ??= this.#makeEntry(name));
    if (entry.tool.name === name) return entry;
    return (this.#entry = this.#makeEntry(name));
  }

  /** What a finished step has done for the answer; nothing when it was not about it. */
  async judge(message: WithParts<AssistantMessage>): Promise<OutputJudgement | undefined> {
    const { tool } = await this.entry();
    const calls = message.parts.filter((part): part is ToolPart => part.type === "tool" && part.tool === tool.name && part.providerExecuted !== true);
    for (const { state } of calls) {
      const value = state.status === "completed" ? await parse(tool, JSON.stringify(state.input)) : undefined;
      if (value?.ok === true) return { type: "given", value: value.value };
    }
    const refused = calls.map(({ state }) => state).findLast((state) => state.status === "error");
    if (refused !== undefined) return { type: "missed", problem: refused.error, byCall: true };
    return message.info.error === undefined && isText(message) ? judgeText(message, tool) : undefined;
  }

  /** How many of the messages missed the answer. */
  misses(messages: readonly WithParts<AssistantMessage>[]): number {
    const { name } = this;
    const isRefused = ({ parts }: WithParts): boolean => parts.some((part) => part.type === "tool" && part.tool === name && part.state.status === "error");
    return messages.filter((message) => message.info.error === undefined && (isText(message) || isRefused(message))).length;
  }

  /** There will be no answer. */
  giveUp(problem: string, attempts: number): void {
    this.failure = messageError("structured-output", `The model gave no answer in the form that the prompt wants, in ${attempts} ${attempts === 1 ? "attempt" : "attempts"}. The last one: ${problem}`);
  }

  async #makeEntry(name: string): Promise<CatalogEntry> {
    const input = await (this.#input ??= this.#compile());
    const { schema } = this.format;
    const tool: CompiledTool = {
      name,
      description: outputToolDescription,
      inputSchema: schema,
      parse: (raw) => input.parse(raw),
      execute: () => "The answer was taken.",
      readOnly: true,
      idempotent: true,
      needsNoLeave: true,
    };
    // As it is stored: the definition is the same in every process.
    return { tool, definition: { type: "function", name, description: outputToolDescription, inputSchema: schema } };
  }

  async #compile(): Promise<CompiledInput> {
    return compileInput("StructuredOutput", this.#given?.type === "json_schema" ? this.#given.schema : this.format.schema);
  }
}

/** Whether the model ended its answer without a call. */
function isText(message: WithParts<AssistantMessage>): boolean {
  return hasContent(message) && !hasUnseenResults(message);
}

async function judgeText(message: WithParts<AssistantMessage>, tool: CompiledTool): Promise<OutputJudgement> {
  const text = message.parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : [])).join("");
  let problem = `It was text, without a call of "${tool.name}".`;
  for (const json of jsonIn(text)) {
    const outcome = await parse(tool, json);
    if (outcome.ok) return { type: "given", value: outcome.value };
    problem = outcome.error;
  }
  return { type: "missed", problem, byCall: false };
}

async function parse(tool: CompiledTool, json: string): Promise<{ ok: true; value: unknown } | { ok: false; error: string }> {
  return parseToolInput(tool, json);
}
