import { InvalidArgumentError } from "../../errors.ts";
import { checkOptions } from "../../util/check-options.ts";
import type { LiveSession } from "../live-session.ts";
import { StreamReader } from "./stream-reader.ts";
import type { StreamItem, StreamOptions } from "./stream-item.ts";

/**
 * The events of a session, from a cursor on. Nothing is held before somebody iterates; who iterates twice reads twice.
 *
 * @throws {InvalidArgumentError} an option is not valid
 */
export function eventStream(live: LiveSession, options: StreamOptions): AsyncIterable<StreamItem> {
  checkOptions("events.options", options, {
    after: (value, where) => {
      const isSeq = Number.isSafeInteger(value) && Number(value) >= 0;
      if (!isSeq && typeof value !== "string") throw new InvalidArgumentError(where, "expected a cursor, or a seq (a whole number from 0 on).");
    },
    abortSignal: (value, where) => {
      if (!(value instanceof AbortSignal)) throw new InvalidArgumentError(where, "expected an AbortSignal.");
    },
  });
  const { after, abortSignal } = options;
  const calledAt = live.journal.seq;
  return {
    [Symbol.asyncIterator]: () => {
      const stop = new AbortController();
      const items = readItems(() => new StreamReader(live, { after, calledAt, stop: stop.signal }), stop, abortSignal);
      return {
        next: () => items.next(),
        return: async () => {
          // A generator that waits does not hear that it shall return: it would wait for the next event.
          stop.abort();
          await items.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

async function* readItems(open: () => StreamReader, stop: AbortController, abortSignal: AbortSignal | undefined): AsyncGenerator<StreamItem, void, undefined> {
  if (abortSignal?.aborted === true) return;
  const onAbort = (): void => {
    stop.abort();
  };
  abortSignal?.addEventListener("abort", onAbort, { once: true });
  const reader = open();
  try {
    for (let items = await reader.begin(); items !== undefined; items = await reader.next()) {
      for (const item of items) {
        if (stop.signal.aborted) return;
        yield item;
      }
    }
  } finally {
    abortSignal?.removeEventListener("abort", onAbort);
    reader.close();
  }
}
