import { maxRepetitionPeriod } from "../defaults.ts";
import { repeats, type KnownCall } from "./known-call.ts";

/**
 * How often the newest calls have come in a row, as a cycle of up to {@link maxRepetitionPeriod} calls: 1 when nothing is
 * repeated. Results count: a poll whose answer changes, and a test after another edit, repeat nothing.
 *
 * @param end how many of the calls are looked at: the newest ones behind are not there yet
 */
export function countRepetitions(calls: readonly KnownCall[], end = calls.length): number {
  let highest = 1;
  for (let period = 1; period <= maxRepetitionPeriod; period += 1) {
    let matching = 0;
    while (repeats(calls[end - 1 - matching], calls[end - 1 - matching - period])) matching += 1;
    highest = Math.max(highest, Math.floor(matching / period) + 1);
  }
  return highest;
}
