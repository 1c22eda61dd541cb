/** What the model is told before the last step of a turn, in which it may not call tools. */
export function stepLimitNote(maxSteps: number): string {
  return [
    `[Engine note: this turn has reached its limit of ${maxSteps} model steps. No tool runs any more; answer in text now.`,
    "Say that the limit was reached, what has been done, what remains, and what should be done next.]",
  ].join(" ");
}
