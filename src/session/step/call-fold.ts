import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { PartBase } from "../../message/file-part.ts";
import type { JSONObject, JSONValue } from "../../message/json.ts";
import { mergeMetadata } from "../../message/merge-metadata.ts";
import type { ToolPart } from "../../message/part.ts";
import { isSettled, transition, type ModelOutput, type ToolState } from "../../message/tool-state.ts";
import { monotonicNow, type Clock } from "../../util/clock.ts";
import { toJSONSafe } from "../../util/json-safe.ts";
import { wellFormed } from "../../util/well-formed.ts";
import { finishedEvent, startedEvent } from "../calls/call-events.ts";
import type { InputHooks } from "./input-hooks.ts";
import { copyMetadata, metadataOf } from "./metadata-of.ts";
import type { StepContext } from "./step-context.ts";
import type { StepParts } from "./step-parts.ts";

type CallStreamPart = Extract<
  LanguageModelV4StreamPart,
  { type: "tool-input-start" | "tool-input-delta" | "tool-input-end" | "tool-call" | "tool-result" | "tool-approval-request" }
>;
type StreamPart<T extends CallStreamPart["type"]> = Extract<CallStreamPart, { type: T }>;

/** A tool call of the step, while it arrives and until it is settled. */
export interface StreamedCall {
  part: ToolPart;
  /** The arguments as text, as far as they have come. */
  raw: string;
  /** The call is complete: nothing of it is still to come from the stream. */
  complete: boolean;
  /** When the tool was started, here or at the provider, by the monotonic clock; `undefined` for one that was not. */
  startedMs: number | undefined;
  /** It ran before, until its process ended: whatever keeps it from running again, its outcome is unknown. */
  interrupted?: true;
  /** How often it comes in a row, this time included; absent where that was not looked at. */
  repeated?: number;
}

/** Folds tool calls, and the results of tools that the provider runs itself, into tool parts. */
export class CallFold {
  /** In call order. */
  readonly all: StreamedCall[] = [];
  readonly #parts: StepParts;
  readonly #base: Omit<PartBase, "id">;
  readonly #context: StepContext;
  readonly #hooks: InputHooks | undefined;

  constructor(parts: StepParts, base: Omit<PartBase, "id">, context: StepContext, hooks?: InputHooks) {
    this.#hooks = hooks;
    this.#parts = parts;
    this.#base = base;
    this.#context = context;
  }

  take(part: CallStreamPart): void {
    switch (part.type) {
      case "tool-input-start":
        this.#open(part.id, nameOf(part), part.providerExecuted, part);
        this.#hooks?.start(nameOf(part), part.id);
        return;
      case "tool-input-delta":
        this.#append(part);
        return;
      case "tool-input-end": {
        const call = this.#arriving(part.id);
        if (call !== undefined) this.#merge(call, part);
        return;
      }
      case "tool-call":
        this.#complete(part);
        return;
      case "tool-result":
        this.#settleByProvider(part);
        return;
      case "tool-approval-request":
        this.#requestApproval(part);
        return;
    }
  }

  /** Changes a call's row. */
  update(call: StreamedCall, change: Partial<ToolPart>): void {
    call.part = Object.assign({}, call.part, change);
  }

  /** Moves a call to its next state. */
  move(call: StreamedCall, state: ToolState, change: Partial<ToolPart> = {}): ToolPart {
    this.update(call, change);
    call.part.state = transition(call.part.state, state);
    return call.part;
  }

  #open(callID: string, tool: string, providerExecuted: boolean | undefined, part: { providerMetadata?: CallStreamPart["providerMetadata"] }): StreamedCall {
    const { sessionID, messageID } = this.#base;
    const row: ToolPart = { id: this.#context.ids("prt"), sessionID, messageID, type: "tool", callID, tool, state: { status: "pending", input: {}, raw: "" } };
    if (providerExecuted === true) row.providerExecuted = true;
    const metadata = copyMetadata(part.providerMetadata);
    if (metadata !== undefined) row.metadata = metadata;
    const call: StreamedCall = { part: row, raw: "", complete: false, startedMs: undefined };
    this.all.push(call);
    // No text waits behind it, and the call itself, which must be stored before it runs, often follows at once.
    this.#parts.add(row, "soon");
    return call;
  }

  #append(part: StreamPart<"tool-input-delta">): void {
    const call = this.#arriving(part.id);
    if (call === undefined) return;
    call.raw += part.delta;
    this.#hooks?.delta(call.part.tool, part.id, part.delta);
  }

  #complete(part: StreamPart<"tool-call">): void {
    const callID: unknown = part.toolCallId;
    // Not passed over: an answer that lacks a call is another answer.
    if (typeof callID !== "string" || nameOf(part) === "") throw new TypeError("The model's stream has a tool call without an id or without a name.");
    // The call may come without input parts before it; and its name may be known only now.
    const call = this.#arriving(callID) ?? this.#open(callID, part.toolName, part.providerExecuted, {});
    call.raw = argumentsText(part.input);
    call.complete = true;
    this.#merge(call, part);
    this.update(call, part.providerExecuted === true ? { tool: part.toolName, providerExecuted: true } : { tool: part.toolName });
    if (part.providerExecuted !== true) return;
    const input = objectOf(call.raw);
    this.#startAtProvider(call, input);
    this.#hooks?.available(part.toolName, part.toolCallId, input);
  }

  /** The provider runs it, from the moment on that the call is complete. */
  #startAtProvider(call: StreamedCall, input: JSONObject, change: Partial<ToolPart> = {}): void {
    const { clock } = this.#context;
    call.startedMs = monotonicNow(clock);
    const row = this.move(call, { status: "running", input, time: { start: clock.now() } }, change);
    this.#parts.replace(row, "now", [startedEvent(row, input, undefined, this.#context)]);
  }

  #settleByProvider(part: StreamPart<"tool-result">): void {
    if (part.preliminary === true) return;
    const call = this.all.findLast((known) => known.part.callID === part.toolCallId && known.part.providerExecuted === true && !isSettled(known.part.state));
    const settled = call ?? this.#openDeferred(part);
    const { input } = settled.part.state;
    const now = this.#context.clock.now();
    const start = settled.part.state.status === "running" ? settled.part.state.time.start : now;
    const time = { start, end: now };
    // `result` is never null by the specification; providers that send none anyway get an empty one.
    const given: unknown = part.result;
    const result: JSONValue = toJSONSafe(given ?? {});
    const output = typeof result === "string" ? result : JSON.stringify(result);
    const modelOutput: ModelOutput = part.isError === true ? { type: "error-json", value: result } : { type: "json", value: result };
    const state: ToolState =
      part.isError === true
        ? { status: "error", input, error: output, modelOutput, time }
        : { status: "completed", input, output, title: part.toolName, metadata: {}, modelOutput, time };
    const { metadata: resultMetadata } = metadataOf(part);
    const row = this.move(settled, state, resultMetadata === undefined ? {} : { resultMetadata });
    this.#parts.replace(row, "now", [finishedEvent(row, ranForMs(settled, this.#context.clock), this.#context)]);
  }

  /** The result of a call that an earlier message made. */
  #openDeferred(part: StreamPart<"tool-result">): StreamedCall {
    const call = this.#open(part.toolCallId, part.toolName, true, {});
    call.complete = true;
    this.#startAtProvider(call, {}, { deferred: "result" });
    return call;
  }

  #requestApproval(part: StreamPart<"tool-approval-request">): void {
    const call = this.all.findLast((known) => known.part.callID === part.toolCallId);
    if (call === undefined) return;
    this.#merge(call, part);
    // It waits for leave: the provider has not begun.
    call.startedMs = undefined;
    this.update(call, { approval: { id: part.approvalId } });
    this.#parts.replace(call.part);
  }

  /** The newest call of that id whose arguments are still arriving. Providers use an id again, even within a step. */
  #arriving(callID: string): StreamedCall | undefined {
    return this.all.findLast((call) => call.part.callID === callID && !call.complete);
  }

  #merge(call: StreamedCall, part: { providerMetadata?: CallStreamPart["providerMetadata"] }): void {
    const metadata = mergeMetadata(call.part.metadata, metadataOf(part).metadata);
    if (metadata !== undefined) this.update(call, { metadata });
  }
}

/** The name of a part's tool; empty when it has none. */
function nameOf({ toolName }: { toolName: unknown }): string {
  return typeof toolName === "string" ? toolName : "";
}

/** Arguments are text by the specification; some providers leave out empty ones, or have parsed them already. */
function argumentsText(input: unknown): string {
  return wellFormed(typeof input === "string" ? input : JSON.stringify(toJSONSafe(input ?? {})));
}

/** How long the tool of a call has run; 0 when it was not started. */
export function ranForMs({ startedMs }: StreamedCall, clock: Clock): number {
  return startedMs === undefined ? 0 : Math.round(monotonicNow(clock) - startedMs);
}

/** Arguments as a JSON object; `{}` when they are none. */
export function objectOf(raw: string): JSONObject {
  return parseObject(raw) ?? {};
}

/** Arguments as a JSON object; `undefined` when they are none. */
export function parseObject(raw: string): JSONObject | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    // JSON.parse yields JSON values; the checks leave only the objects.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JSONObject) : undefined;
  } catch {
    return undefined;
  }
}
