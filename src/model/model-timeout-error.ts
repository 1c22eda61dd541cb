/** A model call took longer than one of its limits. */
export class ModelTimeoutError extends Error {
  /** Which of the `timeouts` options was reached. */
  readonly limit: "firstChunkMs" | "idleMs" | "modelMs";
  readonly limitMs: number;

  constructor(limit: "firstChunkMs" | "idleMs" | "modelMs", limitMs: number) {
    const what = { firstChunkMs: "sent nothing", idleMs: "went silent", modelMs: "was not finished" }[limit];
    super(`The model ${what} within ${limitMs} ms (timeouts.${limit}).`);
    this.name = "ModelTimeoutError";
    this.limit = limit;
    this.limitMs = limitMs;
  }
}
