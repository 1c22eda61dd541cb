import { maxRepetitionPeriod } from "../defaults.ts";

/** A call, as far as repetition is concerned. */
export interface KnownCall {
  key: string;
  /** What it came to; nothing for one that never ran, or has no result yet: it repeats any other of its key. */
  result: readonly string[] | undefined;
}

/**
 * How often the newest calls have come in a row, as a cycle of up to {@link maxRepetitionPeriod} calls: 1 when nothing is
 * repeated. Results count: a poll whose answer changes, and a test after another edit, repeat nothing.
 */
export function countRepetitions(calls: readonly KnownCall[]): number {
  let highest = 1;
  for (let period = 1; period <= maxRepetitionPeriod; period += 1) {
    let matching = 0;
    while (repeats(calls[calls.length - 1 - matching], calls[calls.length - 1 - matching - period])) matching += 1;
    highest = Math.max(highest, Math.floor(matching / period) + 1);
  }
  return highest;
}

function repeats(call: KnownCall | undefined, before: KnownCall | undefined): boolean {
  if (call === undefined || before?.key !== call.key) return false;
  return call.result === undefined || before.result === undefined || (call.result.length === before.result.length && call.result.every((text, index) => text === before.result?.[index]));
}
