/*
 * What the engine tells the model in the conversation. Each is stored as a synthetic part, so that later requests repeat it.
 */

/** Before the last step of a turn, in which it may not call tools. */
export function stepLimitNote(maxSteps: number): string {
  return [
    `[Engine note: this turn has reached its limit of ${maxSteps} model steps. No tool runs any more; answer in text now.`,
    "Say that the limit was reached, what has been done, what remains, and what should be done next.]",
  ].join(" ");
}

/** Before the last step that a turn's budget covers, in which it may not call tools. */
export function budgetNote(lack: string): string {
  return [
    `[Engine note: this turn is at the end of its budget ${lack} No tool runs any more; answer in text now.`,
    "Say that the limit was reached, what has been done, what remains, and what should be done next.]",
  ].join(" ");
}

/** Behind an answer that a crash cut, before it is continued. */
export function interruptionNote(): string {
  return "[Engine note: the message above was cut when the process ended. Go on with the task; give an answer that was under way again, in full.]";
}
