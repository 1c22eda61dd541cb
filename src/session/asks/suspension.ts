/**
 * Thrown through a step whose calls wait for answers, when the turn is not to wait here: nothing of the wait is written, so
 * that whoever resumes the turn finds it as it is. No error of the host's.
 */
export class Suspension extends Error {
  constructor() {
    super("The turn waits for an answer.");
  }
}
