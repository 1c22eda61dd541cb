import type { WithParts } from "../../message/message.ts";
import type { TextPart } from "../../message/part.ts";
import type { LiveSession } from "../live-session.ts";
import type { Transcript } from "../transcript.ts";

/**
 * Adds a note for the model to the newest message. It is stored, so that later requests repeat it as it was.
 *
 * @returns the message with the note; nothing when there is no message
 */
export function addNote({ context, journal }: LiveSession, transcript: Transcript, text: string): WithParts | undefined {
  const { newest } = transcript;
  if (newest === undefined) return undefined;
  const { id: messageID, sessionID } = newest.info;
  const part: TextPart = { id: context.ids("prt"), sessionID, messageID, type: "text", text, synthetic: true };
  const noted = { info: newest.info, parts: [...newest.parts, part] };
  transcript.replaceNewest(noted);
  journal.write([{ type: "part.put", part }], [journal.event("part.updated", { part })], "soon");
  return noted;
}
