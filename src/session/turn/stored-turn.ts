import type { AssistantMessage, Outcome, UserMessage, WithParts } from "../../message/message.ts";
import type { Storage } from "../../storage/storage.ts";
import { toTurnResult, type TurnResult } from "./turn-result.ts";

/** The result of a turn that has ended, from what is stored of it. */
export async function storedOutcome(storage: Storage, prompt: UserMessage, outcome: Outcome): Promise<TurnResult> {
  // A cancelled one never began.
  return toTurnResult(prompt.id, outcome, outcome.type === "cancelled" ? [] : await answersTo(storage, prompt));
}

/** The model's messages of the turn that answered a prompt, oldest first: of its own turn, or of the one that it joined. */
export async function answersTo(storage: Storage, prompt: UserMessage): Promise<WithParts<AssistantMessage>[]> {
  const newestFirst: WithParts[] = [];
  /** The prompt that the turn began with; unknown until the prompt itself is met. */
  let first: string | undefined;
  const answers = (): WithParts<AssistantMessage>[] => newestFirst.filter((entry): entry is WithParts<AssistantMessage> => entry.info.role === "assistant" && parentOf(entry) === first).reverse();
  let before: string | undefined;
  do {
    const page = await storage.listMessages(prompt.sessionID, { before });
    for (const entry of page.items) {
      if (entry.info.id === prompt.id) first = firstOfTurn(prompt, newestFirst);
      if (entry.info.id === first) return answers();
      newestFirst.push(entry);
    }
    before = page.cursor;
  } while (before !== undefined);
  return answers();
}

/**
 * The prompt that a prompt's turn began with: itself, or the one whose turn it joined.
 *
 * @param later what follows the prompt, newest first
 */
function firstOfTurn(prompt: UserMessage, later: readonly WithParts[]): string {
  const next = later.map(parentOf).findLast((parent) => parent !== undefined);
  // An answer to a later prompt says nothing about this one, which then had none.
  return next === undefined || later.some(({ info }) => info.id === next) ? prompt.id : next;
}

/** A summary answers nobody. */
function parentOf({ info }: WithParts): string | undefined {
  return info.role === "assistant" && info.summary !== true ? info.parentID : undefined;
}
