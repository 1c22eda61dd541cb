import type { WithParts } from "../message/message.ts";
import { wellFormed } from "../util/well-formed.ts";

const longestTitle = 100;

/** A prompt's first line, for a session that has no title. */
export function titleOf({ parts }: WithParts): string {
  const text = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : [])).join("\n");
  const line = text.trim().split("\n", 1)[0] ?? "";
  // The cut may fall into a surrogate pair.
  return line.length <= longestTitle ? line : `${wellFormed(line.slice(0, longestTitle - 1))}…`;
}
