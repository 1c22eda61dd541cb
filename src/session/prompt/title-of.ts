import type { WithParts } from "../../message/message.ts";

const longestTitle = 100;

/** A prompt's first line, for a session that has no title. */
export function titleOf({ parts }: WithParts): string {
  const text = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : [])).join("\n");
  const line = text.trim().split(/\r?\n/, 1)[0] ?? "";
  // Cut between characters, each of one or two units; only what may be kept of a huge line is looked at.
  const characters = Array.from(line.slice(0, 2 * longestTitle + 1));
  return characters.length <= longestTitle ? line : `${characters.slice(0, longestTitle - 1).join("")}…`;
}
