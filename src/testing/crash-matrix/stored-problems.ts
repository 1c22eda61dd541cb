import type { WithParts } from "../../message/message.ts";
import type { ModelProfile } from "../../message/model-profile.ts";
import type { ModelRef } from "../../message/model-ref.ts";
import { isSettled } from "../../message/tool-state.ts";
import { toModelMessages } from "../../message/to-model-messages.ts";
import { validateModelMessages } from "../../message/validate-model-messages.ts";
import type { Storage } from "../../storage/storage.ts";

/** A session as the store holds it. */
export interface StoredSession {
  /** Oldest first. */
  readonly history: readonly WithParts[];
  /** Ids of the prompts that wait. */
  readonly queued: readonly string[];
  readonly callIDs: ReadonlySet<string>;
}

export async function readStored(storage: Storage, sessionID: string): Promise<StoredSession> {
  const newestFirst: WithParts[] = [];
  let before: string | undefined;
  do {
    const page = await storage.listMessages(sessionID, { before });
    newestFirst.push(...page.items);
    before = page.cursor;
  } while (before !== undefined);
  const { queued } = await storage.inbox(sessionID);
  const callIDs = newestFirst.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.callID] : [])));
  return { history: newestFirst.reverse(), queued: queued.map(({ info }) => info.id), callIDs: new Set(callIDs) };
}

/** What is wrong with a history in which everything should have ended. */
export function storedProblems({ history, queued }: StoredSession): string[] {
  const problems = queued.map((id) => `the prompt "${id}" is still queued`);
  const calls = new Set<string>();
  for (const { info, parts } of history) {
    if (info.role === "user" && info.outcome === undefined) problems.push(`the prompt "${info.id}" has no outcome`);
    for (const part of parts) {
      if (part.type !== "tool") continue;
      if (!isSettled(part.state)) problems.push(`the call "${part.callID}" (${part.tool}) has no result: it is "${part.state.status}"`);
      if (calls.has(part.callID)) problems.push(`there are two calls "${part.callID}" in the history`);
      calls.add(part.callID);
    }
  }
  return problems;
}

/** What a provider would refuse in the next request, made from the history alone, as any later process would make it. */
export function requestProblems({ history }: StoredSession, profile: ModelProfile, model: ModelRef): string[] {
  const messages = toModelMessages(history, profile, { model });
  // Without a prompt there is no request.
  if (messages.length === 0) return [];
  return validateModelMessages(messages, profile).map(({ rule, index, message }) => `the next request breaks the rule "${rule}" in message ${index}: ${message}`);
}
