import type { TurnControl } from "../turn/turn-control.ts";

/** Ends the turn when the caller's signal fires, or has fired before. The listener goes with the turn. */
export function heedSignal(signal: AbortSignal | undefined, control: TurnControl): void {
  if (signal === undefined) return;
  const onAbort = (): void => {
    // Whatever becomes of the abort, the prompt must not reach a model any more.
    control.abortRequested = true;
    // It fails with the storage, which the turn reports itself; nobody could catch it here.
    control.abort().catch(() => undefined);
  };
  if (signal.aborted) {
    onAbort();
    return;
  }
  signal.addEventListener("abort", onAbort, { once: true });
  void control.settled.then(() => {
    signal.removeEventListener("abort", onAbort);
  });
}
