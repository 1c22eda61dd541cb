/** A page that is not fetched, or cannot be. The message is written for the model: why, and what to do. */
export class FetchRefusedError extends Error {
  override readonly name = "FetchRefusedError";
}
