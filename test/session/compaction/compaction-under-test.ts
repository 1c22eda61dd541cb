import { reply } from "throughline/testing";
import type { ModelRequest, Reply } from "throughline/testing";
import { textsIn } from "../session-under-test.ts";

/** Whether a request asks for a summary. */
export function asksForSummary(request: ModelRequest): boolean {
  return textsIn(request).at(-1)?.includes("for an assistant that will continue the work") === true;
}

export const summaryText = "## Objective\n- Build the thing.\n";

/** Answers requests for a summary with one, all others by the function. */
export function summarizing(answer: (request: ModelRequest, count: number) => Reply): (request: ModelRequest) => Reply {
  let count = 0;
  return (request) => (asksForSummary(request) ? reply.text(summaryText) : answer(request, (count += 1)));
}

/** A text that is estimated as so many tokens. */
export function textOf(tokens: number, letter = "x"): string {
  return letter.repeat(tokens * 4);
}
