import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../util/clock.ts";
import { deferred } from "../util/deferred.ts";
import { LazyAbortController } from "../util/lazy-abort-controller.ts";
import { LazySignal } from "../util/lazy-signal.ts";
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
  const controller = new LazyAbortController();
  const stopped = deferred<never>();
  stopped.promise.catch(ignore);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  const stop = (reason: unknown): void => {
    controller.abort(reason);
    stopped.reject(reason);
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
    const { stream } = await firstOf(call.model.doStream(Object.assign(new LazySignal(controller), call.options)), stopped.promise);
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (controller.aborted !== undefined) throw controller.aborted.reason;
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
    throw controller.aborted === undefined ? error : controller.aborted.reason;
  } finally {
    watchdog.stop();
    call.signal.removeEventListener("abort", onAbort);
    if (!ended) stop(undefined);
  }
}

/** The stream, unless the call is stopped first; a stream that comes later is cancelled. Both promises live for one call only. */
function firstOf<T extends { stream: ReadableStream }>(opening: PromiseLike<T>, stopped: Promise<never>): Promise<T> {
  return new Promise((resolve, reject) => {
    opening.then(resolve, reject);
    stopped.catch((reason: unknown) => {
      reject(reason);
      opening.then((late) => late.stream.cancel()).then(ignore, ignore);
    });
  });
}

function ignore(): void {
  // Whoever aborted has the reason already.
}
