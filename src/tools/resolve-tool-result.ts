import type { LazyAbortController } from "../util/lazy-abort-controller.ts";

/**
 * Waits for what `execute` returned. The last value of an async iterable is the result; every value is shown as progress
 * when it comes. After an abort the iterable is closed at its next value.
 *
 * Tools are foreign code and may never end: the caller must not wait for this without a way out.
 */
export async function resolveToolResult(
  returned: unknown,
  abort: LazyAbortController,
  onPartial: (value: unknown) => void,
): Promise<unknown> {
  const value = await returned;
  if (!isAsyncIterable(value)) return value;
  let last: unknown;
  for await (const partial of value) {
    last = partial;
    // Leaving the loop calls the iterator's `return`, so that a generator's `finally` runs.
    if (abort.aborted !== undefined) break;
    onPartial(partial);
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
