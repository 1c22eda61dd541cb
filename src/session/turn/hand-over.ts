import type { LiveSession, RunningTurn } from "../live-session.ts";

/**
 * The reason of an abort that ends no turn. Model call and tools stop, and what they leave is left as a process leaves it
 * that dies: open, without an outcome, for the process to go on with in which somebody waits for it.
 */
export class HandOver extends DOMException {
  constructor() {
    // What a provider or a tool takes for an ordinary abort.
    super("The session was closed: the turn goes on in another process.", "AbortError");
  }
}

export function isHandedOver({ reason }: { readonly reason: unknown }): boolean {
  return reason instanceof HandOver;
}

/** @throws {HandOver} */
export function throwIfHandedOver({ reason }: { readonly reason: unknown }): void {
  if (reason instanceof HandOver) throw reason;
}

/** Whether this process admitted every prompt of the turn: then nobody waits for it elsewhere. */
export function isPromptedHere({ turns }: LiveSession, { prompt, prompts }: RunningTurn): boolean {
  return [prompt.info, ...prompts].every(({ id }) => turns.get(id)?.admittedHere === true);
}
