import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../util/clock.ts";
import type { RenderedReply } from "./render-reply.ts";

/** Time between the parts of a stream. */
export interface Pace {
  delayMs: number;
  clock: Clock;
}

/**
 * The stream of one call. A pull source without a buffer: a part is sent when the reader asks for it, so nothing runs
 * ahead of the consumer.
 *
 * @param signal ends the stream with its reason; the listener is gone when the stream has ended in any way
 */
export function replyStream(reply: RenderedReply, pace: Pace, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0;
  let cancelDelay = (): void => {};
  let onAbort = (): void => {};
  const release = (): void => {
    signal?.removeEventListener("abort", onAbort);
    cancelDelay();
  };
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = pace.clock.setTimeout(resolve, pace.delayMs);
      // Left pending on purpose: a stream that was aborted or cancelled asks for no more.
      cancelDelay = () => {
        pace.clock.clearTimeout(timer);
      };
    });
  const send = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>, part: LanguageModelV4StreamPart): void => {
    next += 1;
    controller.enqueue(part);
  };
  return new ReadableStream(
    {
      start(controller) {
        onAbort = () => {
          release();
          controller.error(signal?.reason);
        };
        signal?.addEventListener("abort", onAbort);
      },
      pull(controller) {
        const part = reply.parts[next];
        if (part !== undefined && pace.delayMs === 0) {
          send(controller, part);
        } else if (part !== undefined) {
          return wait().then(() => {
            send(controller, part);
          });
        } else if (reply.ending.type !== "stall") {
          release();
          if (reply.ending.type === "throw") controller.error(reply.ending.error);
          else controller.close();
        }
        return undefined;
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
