import type { WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import { isSettled } from "../../message/tool-state.ts";
import { holdRepetitionAt, maxRepetitionPeriod, noteRepetitionAt, stopRepetitionAt } from "../defaults.ts";
import type { StreamedCall } from "../step/call-fold.ts";
import { countRepetitions } from "./count-repetitions.ts";
import { isOwnCall, openCall, settledCall, type KnownCall } from "./known-call.ts";

/** No cycle that matters is longer. */
const window = maxRepetitionPeriod * (stopRepetitionAt + 1);

/** Tells from the messages of a turn whether its calls go round in a circle. Each step asks, so each message is looked at once. */
export class RepetitionGuard {
  #calls: KnownCall[] = [];
  /** How many messages the calls are from, and the parts of the newest of them: another list there is another history. */
  #taken = 0;
  #newest: readonly Part[] | undefined;
  #since = 0;

  /**
   * The newest calls that have their results, oldest first: as long as no message is added.
   *
   * @param since position of the newest prompt: what was done before it was asked for by others
   */
  calls(messages: readonly WithParts[], since = 0): readonly KnownCall[] {
    if (since !== this.#since || messages[this.#taken - 1]?.parts !== this.#newest) {
      this.#since = since;
      this.#taken = 0;
      this.#calls = [];
    }
    for (; this.#taken < messages.length; this.#taken += 1) {
      const message = messages[this.#taken];
      if (message !== undefined) this.#take(message);
    }
    this.#newest = messages.at(-1)?.parts;
    return this.#calls;
  }

  #take({ info, parts }: WithParts): void {
    if ((info.position ?? 0) <= this.#since) return;
    for (const part of parts) if (isOwnCall(part) && isSettled(part.state)) this.#calls.push(settledCall(part));
    if (this.#calls.length > 2 * window) this.#calls.splice(0, this.#calls.length - window);
  }

  /** Whether the newest message has made a repetition out of what was none: its model is to be told once. */
  begins(messages: readonly WithParts[], since: number): boolean {
    const calls = this.calls(messages, since);
    if (calls.length < noteRepetitionAt) return false;
    const newest = messages.at(-1)?.parts.filter(isOwnCall).length ?? 0;
    const before = calls.length - newest;
    if (newest === 0 || countRepetitions(calls, before) >= noteRepetitionAt) return false;
    for (let end = before + 1; end <= calls.length; end += 1) if (countRepetitions(calls, end) >= noteRepetitionAt) return true;
    return false;
  }

  /** Whether the turn has to end: what would have been the last repetition was not let run. */
  ends(messages: readonly WithParts[], since: number): boolean {
    const calls = this.calls(messages, since);
    return calls.length >= stopRepetitionAt && calls.at(-1)?.result === undefined && countRepetitions(calls) >= stopRepetitionAt;
  }
}

/** Notes at calls that are about to run how often they come in a row. */
export function noteRepetitions(open: readonly StreamedCall[], parts: readonly Part[], earlier: readonly KnownCall[] | undefined): void {
  if (earlier === undefined || earlier.length + parts.length < holdRepetitionAt) return;
  const calls = [...earlier];
  for (const part of parts) {
    if (!isOwnCall(part)) continue;
    const call = open.find((candidate) => candidate.part.id === part.id);
    if (call === undefined) calls.push(settledCall(part));
    else {
      calls.push(openCall(part.tool, call.raw));
      call.repeated = countRepetitions(calls);
    }
  }
}
