import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../util/clock.ts";
import { startWatchdog, type ModelTimeouts } from "./watchdog.ts";

/** One call of a model. */
export interface ModelCall {
  model: LanguageModelV4;
  options: Omit<LanguageModelV4CallOptions, "abortSignal">;
  /** Ends the call. */
  signal: AbortSignal;
  timeouts: ModelTimeouts;
  clock: Clock;
  /** Takes each part, synchronously. Return false to end the call early. */
  onPart(part: LanguageModelV4StreamPart): boolean;
}

/**
 * Makes one model call and hands over its parts. Resolves when the stream has ended, or when `onPart` returned false.
 * However it ends early (by the signal, a timeout, a throw), the request behind it is aborted and its late parts are lost.
 *
 * @throws the provider's error, the signal's reason, or a `ModelTimeoutError`
 */
export async function callModel(call: ModelCall): Promise<void> {
  call.signal.throwIfAborted();
  // A controller of its own, always aborted on an early exit: leaving a stream does not cancel the request, and a
  // session-long signal would collect the provider's listeners.
  const controller = new AbortController();
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  const stop = (reason: unknown): void => {
    controller.abort(reason);
    // Cancelling settles a pending read at once, even when the source hangs.
    reader?.cancel(reason).catch(ignore);
  };
  const onAbort = (): void => {
    stop(call.signal.reason);
  };
  call.signal.addEventListener("abort", onAbort, { once: true });
  const watchdog = startWatchdog(call.clock, call.timeouts, stop);
  let ended = false;
  try {
    const { stream } = await orAborted(call.model.doStream({ ...call.options, abortSignal: controller.signal }), controller.signal);
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (controller.signal.aborted) throw controller.signal.reason;
      if (done) {
        ended = true;
        return;
      }
      // Keep-alives must not keep a silent call alive for ever.
      if (value.type !== "ping" && value.type !== "raw") watchdog.progress();
      if (!call.onPart(value)) return;
    }
  } catch (error) {
    // A provider that notices the abort first throws its own error: the cause of the abort is what counts.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    watchdog.stop();
    call.signal.removeEventListener("abort", onAbort);
    if (!ended) stop(undefined);
  }
}

/** The promise's value, or the signal's reason as soon as it is aborted; a stream that arrives later is cancelled. */
function orAborted<T extends { stream: ReadableStream }>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
      promise.then((late) => late.stream.cancel(), ignore).then(ignore, ignore);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(error);
      },
    );
  });
}

function ignore(): void {
  // Whoever aborted has the reason already.
}
