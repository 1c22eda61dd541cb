import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { checkOptions } from "../util/check-options.ts";
import { systemClock, type Clock } from "../util/clock.ts";
import { checkReply, checkScript, scriptedModelChecks } from "./check-script.ts";
import { collectResult } from "./collect-result.ts";
import { recordRequest, type ModelRequest } from "./model-request.ts";
import { renderReply } from "./render-reply.ts";
import type { Reply } from "./reply-piece.ts";
import { replyStream } from "./reply-stream.ts";
import type { ReplyUsage } from "./reply-usage.ts";
import { UnexpectedModelCallError } from "./unexpected-model-call-error.ts";
import { UnusedRepliesError } from "./unused-replies-error.ts";

/**
 * What a scripted model answers: one entry per call, in order; or one function for all calls, where `undefined` means
 * that the call is not expected. `index` counts the calls from 0.
 */
export type Script =
  | readonly (Reply | ((request: ModelRequest, index: number) => Reply))[]
  | ((request: ModelRequest, index: number) => Reply | undefined);

export interface ScriptedModelOptions {
  /** Default `"scripted"`. */
  provider?: string | undefined;
  /** Default `"scripted-model"`. */
  modelId?: string | undefined;
  /** Usage of the calls whose reply states none. Default: estimated from the lengths of the texts. */
  usage?: ReplyUsage | undefined;
  /** Most characters per delta. Default: a text is one delta. */
  chunkSize?: number | undefined;
  /** Milliseconds before each stream part. Default 0. */
  delayMs?: number | undefined;
  /** The clock for `delayMs`. Default: the system's. */
  clock?: Clock | undefined;
}

/** A model that says what its script says, and remembers what it was asked. */
export interface ScriptedModel extends LanguageModelV4 {
  doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult>;
  doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult>;
  /** Number of calls so far, unexpected ones too. */
  readonly calls: number;
  /** The request of each call: deep-frozen copies, without the abort signal. */
  readonly requests: readonly ModelRequest[];
  /** The abort signal of each call. */
  readonly signals: readonly (AbortSignal | undefined)[];
  /**
   * Call it at the end of a test. It throws again what the script failed with during a call, whoever caught that then.
   *
   * @throws {UnexpectedModelCallError} the model was called when the script had no reply for it
   * @throws what a function of the script threw, e.g. a failed expectation about its request
   * @throws {UnusedRepliesError} replies are left
   */
  assertDone(): void;
}

/**
 * A language model for tests: no network, no key, the same every time. It is an ordinary AI SDK model, so it works
 * wherever one is expected, and with any test runner.
 *
 * A call beyond the script fails with {@link UnexpectedModelCallError}. An aborted signal refuses the call, and ends its
 * stream, with the signal's reason.
 *
 * @example
 * const model = scriptedModel([
 *   reply.toolCall("read_file", { path: "README.md" }),
 *   (request) => reply.text(`You sent ${request.prompt.length} messages.`),
 * ])
 * const session = await createAgent({ model, tools: { read_file } }).session()
 * const { text } = await session.prompt("Read it.")
 * model.assertDone()
 *
 * @throws {InvalidArgumentError} the script or an option is of the wrong type
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  checkScript(script);
  checkOptions("scriptedModel.options", options, scriptedModelChecks);
  const { provider = "scripted", modelId = "scripted-model", usage, chunkSize = Infinity, delayMs = 0, clock = systemClock() } = options;
  const requests: ModelRequest[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const failures: unknown[] = [];
  let callIDs = 0;

  function replyTo(request: ModelRequest, index: number): Reply {
    try {
      const entry = typeof script === "function" ? script : script[index];
      const answer = typeof entry === "function" ? entry(request, index) : entry;
      if (answer === undefined) throw new UnexpectedModelCallError(index + 1, request);
      if (typeof entry === "function") checkReply(answer, `scriptedModel.script, reply ${index}`);
      return answer;
    } catch (error) {
      // Whoever calls a model handles its failures, so that the test would not see this one.
      failures.push(error);
      throw error;
    }
  }

  async function respond(callOptions: LanguageModelV4CallOptions): Promise<ReadableStream<LanguageModelV4StreamPart>> {
    const request = recordRequest(callOptions, requests.at(-1));
    const index = requests.push(request) - 1;
    signals.push(callOptions.abortSignal);
    const nextCallID = (): string => {
      // A model of another process may have used the next id before: it stands in the history then.
      do callIDs += 1;
      while (hasCall(request, `call_${callIDs}`));
      return `call_${callIDs}`;
    };
    const rendered = renderReply(replyTo(request, index), { request, usage, chunkSize, nextCallID });
    const signal = rendered.ignoreAbort ? undefined : callOptions.abortSignal;
    if (rendered.ending.type === "hang") await abortOf(signal);
    signal?.throwIfAborted();
    if (rendered.ending.type === "refuse") throw rendered.ending.error;
    return replyStream(rendered, { delayMs, clock }, signal);
  }

  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    doStream: async (callOptions) => ({ stream: await respond(callOptions) }),
    doGenerate: async (callOptions) => collectResult(await respond(callOptions)),
    requests,
    signals,
    get calls() {
      return requests.length;
    },
    assertDone() {
      if (failures.length > 0) throw failures[0];
      const unused = typeof script === "function" ? 0 : script.length - requests.length;
      if (unused > 0) throw new UnusedRepliesError(requests.length, unused);
    },
  };
}

function hasCall({ prompt }: ModelRequest, callID: string): boolean {
  return prompt.some(({ role, content }) => role === "assistant" && content.some((part) => part.type === "tool-call" && part.toolCallId === callID));
}

/** Resolves when the signal is aborted; without a signal never. */
function abortOf(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    const onAbort = (): void => {
      resolve();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
