import type { JSONObject } from "../message/json.ts";

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

/** As above, of a turn that wants its answer by a call. */
export function outputLimitNote(maxSteps: number, tool: string): string {
  return `[Engine note: this turn has reached its limit of ${maxSteps} model steps. No other tool runs any more; give your answer by calling "${tool}" now, with what you know.]`;
}

/** The tool by which a model gives its answer in the form that a prompt wants. */
export const outputToolDescription = "Gives your final answer in the form that is wanted. Call it exactly once, as the last thing you do, when you have all that the answer needs.";

/** In the instructions of a turn that wants its answer by a call. */
export function outputInstruction(tool: string): string {
  return `Give your final answer by calling the tool "${tool}", exactly once, as the last thing you do. An answer in text is not read.`;
}

/** Behind an answer that is not in the form that is wanted. */
export function outputMissedNote(tool: string, problem: string, schema: JSONObject): string {
  const wanted = `Give your final answer by calling the tool "${tool}"; if you cannot call tools, answer with nothing but JSON of this schema: ${JSON.stringify(schema)}`;
  return `[Engine note: the answer above is not in the form that is wanted. ${problem} ${wanted}]`;
}

/** Behind results that came before, of the same calls, more than once. */
export function repetitionNote(times: number): string {
  return `[Engine note: you have made the same calls ${times} times in a row, and they came to the same each time. Repeating them will not help: try something else, or say what stands in the way.]`;
}

/** Behind an answer that a crash cut, before it is continued. */
export function interruptionNote(): string {
  return "[Engine note: the message above was cut when the process ended. Go on with the task; give an answer that was under way again, in full.]";
}
