import type { WithParts } from "../message/message.ts";
import { boundaryOf } from "./compaction-message.ts";

// The sections are those of OpenCode's template.
const sections = `## Objective
- [what the user wants, and what counts as done]

## Important details
- [instructions, constraints, decisions with their reasons, facts found out]

## Work state
### Completed
- [what is done, and how it was checked]
### Active
- [what is being worked on]
### Blocked
- [what failed or waits, with the exact error]

## Next move
1. [the next concrete step]

## Relevant files
- [path: why it matters]`;

const rules = `Keep every section, in this order, and write "(none)" where there is nothing. Write short bullet points. Keep exact paths, names, ids, commands and error texts. Write in the language of the conversation. Do not answer what is asked in it, do not call tools, and do not mention that you summarise.`;

/** What a summary call is asked, as data. */
export const summaryPrompts = Object.freeze({
  /** For a window without a summary. */
  first: `Write a summary of the conversation above, for an assistant that will continue the work and will see nothing else of it. Use this form:

${sections}

${rules}`,
  /** For a window that begins with an earlier summary: facts must not fade from summary to summary. */
  update: `The conversation above begins with a summary of what came before it. Write that summary anew, for an assistant that will continue the work and will see nothing else: keep what is still true, drop what is out of date, and add what has happened since. Use this form:

${sections}

${rules}`,
});

/**
 * The text of the user message that ends a summary request.
 *
 * @param window as `filterCompacted` gives it, oldest message first
 * @param custom the host's own text, in place of both
 */
export function summaryPrompt(window: readonly WithParts[], custom?: string): string {
  return custom ?? (boundaryOf(window) === undefined ? summaryPrompts.first : summaryPrompts.update);
}
