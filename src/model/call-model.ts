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
    void cancel(reader, reason);
  };
  const onAbort = (): void => {
    stop(call.signal.reason);
  };
  call.signal.addEventListener("abort", onAbort, { once: true });
  const watchdog = startWatchdog(call.clock, call.timeouts, stop);
  const isStopped = (): boolean => controller.aborted !== undefined;
  /** Resolves with whether the stream came to its end. */
  const read = async (): Promise<boolean> => {
    const { stream } = await call.model.doStream(Object.assign(new LazySignal(controller), call.options));
    if (isStopped()) {
      await cancel(stream, undefined);
      return false;
    }
    const source = (reader = stream.getReader());
    for (;;) {
      const { done, value } = await source.read();
      if (isStopped()) return false;
      if (done) return true;
      // Keep-alives must not keep a silent call alive for ever.
      if (value.type !== "ping" && value.type !== "raw") watchdog.progress();
      if (!call.onPart(value)) return false;
    }
  };
  let ended = false;
  try {
    // A model and its stream need never answer. Both promises live for this call only.
    ended = await Promise.race([read(), stopped.promise]);
  } catch (error) {
    // A provider that notices the abort first throws its own error: the cause of the abort is what counts.
    throw controller.aborted === undefined ? error : controller.aborted.reason;
  } finally {
    watchdog.stop();
    call.signal.removeEventListener("abort", onAbort);
    if (!ended) stop(undefined);
  }
}

/** Asks a stream to end, which settles a pending read. One that is not the platform's own may do anything instead: nobody waits. */
async function cancel(stream: { cancel(reason: unknown): unknown } | undefined, reason: unknown): Promise<void> {
  try {
    await stream?.cancel(reason);
  } catch {
    // Whoever stopped the call has the reason already.
  }
}

function ignore(): void {
  // Whoever aborted has the reason already.
}
