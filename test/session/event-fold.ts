import type { Message, Part, SessionEvent, SessionInfo, WithParts } from "throughline";

/** What a client knows that has only heard the events: enough to draw the session. */
export interface FoldedSession {
  session: SessionInfo | undefined;
  /** Promoted messages with their parts, in order of position. */
  messages: WithParts[];
}

/** Folds events in order, as a client would. Throws when one contradicts what was heard before it. */
export function foldEvents(events: readonly SessionEvent[]): FoldedSession {
  let session: SessionInfo | undefined;
  const messages = new Map<string, Message>();
  const parts = new Map<string, Part>();
  for (const event of events) {
    switch (event.type) {
      case "session.created":
      case "session.updated":
        session = event.session;
        break;
      case "message.updated":
        messages.set(event.message.id, event.message);
        break;
      case "message.removed":
        messages.delete(event.messageID);
        break;
      case "part.updated":
        parts.set(event.part.id, event.part);
        break;
      case "part.removed":
        parts.delete(event.partID);
        break;
      case "part.delta":
        parts.set(event.partID, appended(parts.get(event.partID), event.offset, event.delta));
        break;
      default:
        break;
    }
  }
  const promoted = [...messages.values()].filter((message) => message.position !== undefined);
  promoted.sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  return { session, messages: promoted.map((info) => ({ info, parts: [...parts.values()].filter((part) => part.messageID === info.id) })) };
}

function appended(part: Part | undefined, offset: number, delta: string): Part {
  if (part === undefined) throw new Error("A delta came for a part that was not announced.");
  if (part.type !== "text" && part.type !== "reasoning") throw new Error(`Text came for a ${part.type} part.`);
  if (part.time?.end !== undefined) throw new Error("Text came for a part that was final.");
  if (part.text.length !== offset) throw new Error(`The text has ${part.text.length} characters, and the delta starts at ${offset}.`);
  return { ...part, text: part.text + delta };
}
