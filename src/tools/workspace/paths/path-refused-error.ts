/** A path that a tool does not touch. The message is written for the model: why, and what to do. */
export class PathRefusedError extends Error {
  override readonly name = "PathRefusedError";
}
