import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import type { Clock } from "throughline";
import { onAbort } from "./engine-listeners.ts";

/** What a model does in one call. Plain data, so that a run that fails can be read and repeated. */
export interface Saying {
  /** Before there is a stream: it comes, the call fails (later, or at once), hangs, or answers rubbish. */
  opening: "stream" | "rejects" | "throws" | "hangs" | "rubbish";
  parts: readonly unknown[];
  /** Milliseconds before each part. */
  paceMs: number;
  /** After the last part: the stream ends, breaks, is silent for ever, sends keep-alives for ever, or text for ever. */
  ending: "closes" | "breaks" | "stalls" | "pings" | "babbles";
  error: keyof typeof errors;
  heedsAbort: boolean;
}

const refusal = (statusCode: number, message: string, headers: Record<string, string> = {}): APICallError =>
  new APICallError({ message, url: "https://acme.test", requestBodyValues: {}, statusCode, responseHeaders: headers });

/** What goes wrong, by name. */
const errors = {
  "400": () => refusal(400, "refused"),
  "401": () => refusal(401, "refused"),
  "402": () => refusal(402, "refused"),
  "404": () => refusal(404, "refused"),
  "429": () => refusal(429, "slow down"),
  "429 after 1 s": () => refusal(429, "slow down", { "retry-after": "1" }),
  "429 after a day": () => refusal(429, "slow down", { "retry-after": "86400" }),
  "500": () => refusal(500, "refused"),
  "529": () => refusal(529, "overloaded"),
  "too long": () => refusal(400, "prompt is too long: 200001 tokens > 200000 maximum"),
  "fetch failed": () => new TypeError("fetch failed"),
  "its own abort": () => new DOMException("Somebody else aborted this.", "AbortError"),
  "overloaded object": () => ({ type: "overloaded_error", message: "Overloaded" }),
  text: () => "boom",
  nothing: () => undefined,
} satisfies Record<string, () => unknown>;

const id = fc.constantFrom("1", "2");
const callID = fc.constantFrom("c1", "c2", "c3");
export const toolNames = ["echo", "fails", "hangs", "heeds", "slow", "huge", "odd", "late", "endless", "unchecked", "guarded", "asks"] as const;
const toolName = fc.constantFrom<string>(...toolNames, "nope", "StructuredOutput");
const input = fc.constantFrom('{"text":"a"}', '{"text":"b"}', "{}", "", "null", "[1]", '{"text":');

const call = fc.tuple(callID, toolName, input).map(([toolCallId, name, json]) => ({ type: "tool-call", toolCallId, toolName: name, input: json }));
const text = fc.constantFrom("", " ", "a", "Hello\n", "\ud83d").map((delta) => ({ type: "text-delta", id: "1", delta }));
/** Parts of every type, in any order, with ids that repeat. */
const part: fc.Arbitrary<unknown> = fc.oneof(
  call,
  text,
  fc.tuple(fc.constantFrom("text-start", "text-end", "reasoning-start", "reasoning-end", "tool-input-end"), id).map(([type, blockID]) => ({ type, id: blockID })),
  id.map((blockID) => ({ type: "reasoning-delta", id: blockID, delta: "hm" })),
  fc.tuple(callID, toolName).map(([inputID, name]) => ({ type: "tool-input-start", id: inputID, toolName: name })),
  callID.map((inputID) => ({ type: "tool-input-delta", id: inputID, delta: '{"te' })),
  fc.tuple(callID, toolName).map(([toolCallId, name]) => ({ type: "tool-call", toolCallId, toolName: name, input: "{}", providerExecuted: true })),
  callID.map((toolCallId) => ({ type: "tool-result", toolCallId, toolName: "echo", result: "r" })),
  callID.map((toolCallId) => ({ type: "tool-approval-request", approvalId: "a1", toolCallId })),
  fc.constantFrom<unknown>(
    { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
    { type: "source", sourceType: "url", id: "s", url: "https://acme.test" },
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    { type: "error", error: "boom" },
    { type: "ping" },
    { type: "from-the-future" },
    { type: "text-delta" },
    { type: "tool-call" },
    { type: "finish" },
    {},
  ),
);

const finish = fc
  .tuple(fc.constantFrom("stop", "stop", "tool-calls", "tool-calls", "length", "other", "error", "content-filter", "interrupted", "vendor"), fc.constantFrom(0, 7, 900))
  .map(([unified, total]) => ({ type: "finish", finishReason: { unified, raw: unified }, usage: { inputTokens: { total }, outputTokens: { total: 3 } } }));

const errorName = fc.constantFrom(...(Object.keys(errors) as (keyof typeof errors)[]));
const tame = { opening: "stream", paceMs: 0, ending: "closes", error: "500", heedsAbort: true } as const;

/** Ends as it should, whatever it says. */
const proper = fc.tuple(fc.array(fc.oneof({ arbitrary: call, weight: 2 }, { arbitrary: text, weight: 2 }, part), { maxLength: 4 }), finish).map(([parts, end]): Saying => ({ ...tame, parts: [...parts, end] }));
const wild: fc.Arbitrary<Saying> = fc.record({
  opening: fc.constantFrom("stream", "stream", "stream", "rejects", "rejects", "throws", "hangs", "rubbish"),
  parts: fc.array(fc.oneof({ arbitrary: part, weight: 5 }, finish), { maxLength: 5 }),
  paceMs: fc.constantFrom(0, 0, 3, 30),
  ending: fc.constantFrom("closes", "breaks", "stalls", "pings", "babbles"),
  error: errorName,
  heedsAbort: fc.boolean(),
});

export const sayings: fc.Arbitrary<Saying[]> = fc.array(fc.oneof({ arbitrary: proper, weight: 3 }, { arbitrary: wild, weight: 2 }), { minLength: 1, maxLength: 4 });

/** A model that does what it is told, over and over. */
export function anyModel(script: readonly Saying[], modelId: string, { clock, onCall }: { clock: Clock; onCall: () => void }): LanguageModelV4 {
  let calls = 0;
  const answer = async (saying: Saying, options: LanguageModelV4CallOptions): Promise<{ stream: ReadableStream<LanguageModelV4StreamPart> }> => {
    if (saying.opening === "rejects") fail(errors[saying.error]());
    if (saying.opening === "hangs") await hang(saying, options.abortSignal);
    // A provider that does not keep its own contract.
    if (saying.opening === "rubbish") return { stream: undefined } as unknown as { stream: ReadableStream<LanguageModelV4StreamPart> };
    return { stream: streamOf(saying, options.abortSignal, clock) };
  };
  return {
    specificationVersion: "v4",
    provider: "acme",
    modelId,
    supportedUrls: {},
    doStream(options) {
      onCall();
      const saying = script[calls % script.length] ?? { ...tame, parts: [] };
      calls += 1;
      if (saying.opening === "throws") fail(errors[saying.error]());
      return answer(saying, options);
    },
    doGenerate: () => Promise.reject(new Error("The engine streams.")),
  };
}

/** Providers throw anything. */
function fail(error: unknown): never {
  throw error as Error;
}

function hang({ heedsAbort }: Saying, signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (heedsAbort) onAbort(signal, reject);
  });
}

function streamOf({ parts, paceMs, ending, error, heedsAbort }: Saying, signal: AbortSignal | undefined, clock: Clock): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0;
  const pause = (ms: number): Promise<void> | undefined => (ms === 0 ? undefined : new Promise((resolve) => void clock.setTimeout(resolve, ms)));
  return new ReadableStream({
    start(controller) {
      if (heedsAbort) onAbort(signal, (reason) => { controller.error(reason); });
    },
    async pull(controller) {
      await pause(paceMs);
      const part = parts[next];
      next += 1;
      if (part === undefined) await end(controller);
      // Any part is what this is about.
      else enqueue(controller, part as LanguageModelV4StreamPart);
    },
  });

  async function end(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): Promise<void> {
    if (ending === "closes") attempt(() => { controller.close(); });
    else if (ending === "breaks") controller.error(errors[error]());
    else if (ending === "stalls") await new Promise(() => undefined);
    else {
      await pause(10);
      enqueue(controller, ending === "pings" ? ({ type: "ping" } as unknown as LanguageModelV4StreamPart) : { type: "text-delta", id: "1", delta: "." });
    }
  }
}

function enqueue(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>, part: LanguageModelV4StreamPart): void {
  attempt(() => { controller.enqueue(part); });
}

/** The stream may have been cancelled meanwhile. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Nobody listens any more.
  }
}
