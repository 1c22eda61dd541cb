import type { TurnControl } from "./turn-control.ts";

/** Ends the turn when the caller's signal fires. The listener goes with the turn. */
export function heedSignal(signal: AbortSignal | undefined, control: TurnControl): void {
  if (signal === undefined) return;
  if (signal.aborted) {
    control.abortRequested = true;
    return;
  }
  const onAbort = (): void => {
    void control.abort();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  void control.settled.then(() => {
    signal.removeEventListener("abort", onAbort);
  });
}
