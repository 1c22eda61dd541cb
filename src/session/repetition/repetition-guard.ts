import type { WithParts } from "../../message/message.ts";
import type { Part, ToolPart } from "../../message/part.ts";
import { isSettled } from "../../message/tool-state.ts";
import { holdRepetitionAt, maxRepetitionPeriod, noteRepetitionAt, stopRepetitionAt } from "../defaults.ts";
import type { StreamedCall } from "../step/call-fold.ts";
import { argumentsOf, callKey, keyOfPart } from "./call-key.ts";
import { countRepetitions, type KnownCall } from "./count-repetitions.ts";

/** No cycle that matters is longer. */
const window = maxRepetitionPeriod * (stopRepetitionAt + 1);

/** Tells from the messages of a turn whether its calls go round in a circle. Each step asks: what is known is not looked at again. */
export class RepetitionGuard {
  /** Each call is looked at once. */
  readonly #known = new WeakMap<ToolPart, KnownCall>();
  /** The newest answer, and what it was for. */
  #newest: { parts: readonly Part[] | undefined; since: number; calls: readonly KnownCall[] } | undefined;

  /**
   * The newest calls that have their results, oldest first.
   *
   * @param since position of the newest prompt: what was done before it was asked for by others
   */
  calls(messages: readonly WithParts[], since = 0): readonly KnownCall[] {
    const parts = messages.at(-1)?.parts;
    if (this.#newest?.parts !== parts || this.#newest?.since !== since) this.#newest = { parts, since, calls: this.#read(messages, since) };
    return this.#newest.calls;
  }

  #read(messages: readonly WithParts[], since: number): KnownCall[] {
    const newestFirst: KnownCall[] = [];
    for (let index = messages.length - 1; index >= 0 && newestFirst.length < window; index -= 1) {
      const message = messages[index];
      if (message === undefined || (message.info.position ?? 0) <= since) break;
      for (let place = message.parts.length - 1; place >= 0; place -= 1) {
        const part = message.parts[place];
        if (part !== undefined && isOwnCall(part) && isSettled(part.state)) newestFirst.push(this.#call(part));
      }
    }
    newestFirst.length = Math.min(newestFirst.length, window);
    return newestFirst.reverse();
  }

  /** Whether the newest message has made a repetition out of what was none: its model is to be told once. */
  begins(messages: readonly WithParts[], since: number): boolean {
    const newest = messages.at(-1)?.parts.filter(isOwnCall).length ?? 0;
    if (newest === 0) return false;
    const calls = this.calls(messages, since);
    if (calls.length < noteRepetitionAt) return false;
    const before = countRepetitions(calls.slice(0, -newest));
    return before < noteRepetitionAt && calls.slice(-newest).some((_call, index) => countRepetitions(calls.slice(0, calls.length - newest + index + 1)) >= noteRepetitionAt);
  }

  /** Whether the turn has to end: what would have been the last repetition was not let run. */
  ends(messages: readonly WithParts[], since: number): boolean {
    const calls = this.calls(messages, since);
    return calls.length >= stopRepetitionAt && calls.at(-1)?.result === undefined && countRepetitions(calls) >= stopRepetitionAt;
  }

  #call(part: ToolPart): KnownCall {
    let call = this.#known.get(part);
    if (call === undefined) this.#known.set(part, (call = { key: keyOfPart(part), result: resultOf(part) }));
    return call;
  }
}

/** Notes at calls that are about to run how often they come in a row. */
export function noteRepetitions(open: readonly StreamedCall[], parts: readonly Part[], earlier: readonly KnownCall[] | undefined): void {
  if (earlier === undefined || earlier.length + parts.length < holdRepetitionAt) return;
  const calls = [...earlier];
  for (const part of parts) {
    if (!isOwnCall(part)) continue;
    const call = open.find((candidate) => candidate.part.id === part.id);
    if (call === undefined) calls.push({ key: keyOfPart(part), result: resultOf(part) });
    else {
      calls.push({ key: callKey(part.tool, argumentsOf(call.raw)), result: undefined });
      call.repeated = countRepetitions(calls);
    }
  }
}

/** What the provider runs itself is over before anybody could hold it back. */
function isOwnCall(part: Part): part is ToolPart {
  return part.type === "tool" && part.providerExecuted !== true;
}

function resultOf({ state }: ToolPart): readonly string[] | undefined {
  if (state.status === "error") return state.neverRan === true ? undefined : [state.error];
  return state.status === "completed" ? [state.output, ...(state.attachments ?? []).map(({ url }) => url)] : undefined;
}
