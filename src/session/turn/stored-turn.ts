import type { AssistantMessage, Outcome, UserMessage, WithParts } from "../../message/message.ts";
import type { Storage } from "../../storage/storage.ts";
import { toTurnResult, type TurnResult } from "./turn-result.ts";

/** The result of a turn that has ended, from what is stored of it. */
export async function storedOutcome(storage: Storage, prompt: UserMessage, outcome: Outcome): Promise<TurnResult> {
  return toTurnResult(prompt.id, outcome, await answersTo(storage, prompt));
}

/** The model's messages that answer a prompt, oldest first. */
export async function answersTo(storage: Storage, prompt: UserMessage): Promise<WithParts<AssistantMessage>[]> {
  const answers: WithParts<AssistantMessage>[] = [];
  let before: string | undefined;
  do {
    const page = await storage.listMessages(prompt.sessionID, { before });
    for (const { info, parts } of page.items) {
      if (info.id === prompt.id) return answers.reverse();
      if (info.role === "assistant" && info.parentID === prompt.id) answers.push({ info, parts });
    }
    before = page.cursor;
  } while (before !== undefined);
  return answers.reverse();
}
