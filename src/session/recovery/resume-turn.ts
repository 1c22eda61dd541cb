import { compactionOf } from "../../compaction/compaction-message.ts";
import { NothingToResumeError } from "../../errors.ts";
import type { UserMessage, WithParts } from "../../message/message.ts";
import { fingerprint } from "../prompt/admission.ts";
import type { LiveSession } from "../live-session.ts";
import { isOwedPrompt } from "./owed-turn.ts";
import { TurnControl, type TurnHost } from "../turn/turn-control.ts";

/**
 * The turn that goes on: the one that runs here, else one whose prompt is found out when the session is looked at.
 */
export function resumeTurn(live: LiveSession, host: TurnHost): TurnControl {
  const { running } = live;
  const known = running === undefined ? live.resuming : live.turns.get(running.messageID);
  if (known !== undefined) return known;
  live.resuming = TurnControl.unbound(host);
  const control = live.resuming;
  if (running !== undefined) bindResumed(live, running.prompt);
  return control;
}

/** Whether the owed turn of this prompt is to go on: somebody wants it to, or who prompted it here still waits for it. */
export function isResumed(live: LiveSession, messageID: string): boolean {
  const control = live.turns.get(messageID);
  return live.context.resume === "auto" || control?.resumes === true || control?.admittedHere === true;
}

/** The turn that is to be resumed is that of this prompt. */
export function bindResumed(live: LiveSession, prompt: WithParts<UserMessage>): void {
  const control = live.resuming;
  if (control === undefined) return;
  live.resuming = undefined;
  follow(live, prompt, control);
  control.resumes = true;
  const known = live.turns.get(prompt.info.id);
  if (known !== undefined) known.resumes = true;
}

/** Lets a turn of this process stand for a stored prompt, whoever runs it. */
export function follow(live: LiveSession, prompt: WithParts<UserMessage>, control: TurnControl): void {
  const { id, traceID } = prompt.info;
  control.bind({ messageID: id, turnID: traceID ?? id, fingerprint: fingerprint(prompt) });
  control.accept(live.journal.seq);
  const known = live.turns.get(id);
  if (known === undefined) live.addTurn(control);
  else control.settleWith(known);
}

/** Finds out what is to be resumed. False when there is nothing, which its turn is then told. */
export async function findResumed(live: LiveSession): Promise<boolean> {
  const prompt = (await findOwedPrompt(live)) ?? (await live.context.storage.inbox(live.info.id)).queued[0];
  if (prompt !== undefined) bindResumed(live, prompt);
  const control = live.resuming;
  live.resuming = undefined;
  control?.fail(new NothingToResumeError(live.info.id));
  return prompt !== undefined;
}

/** The stored prompt that has begun and has no outcome, whoever runs it. */
export async function findOwedPrompt(live: LiveSession): Promise<WithParts<UserMessage> | undefined> {
  return (await findOwedPrompts(live))[0];
}

/** That prompt and those that joined its turn, oldest first. Reads no further back than it has to. */
export async function findOwedPrompts(live: LiveSession): Promise<WithParts<UserMessage>[]> {
  const { storage } = live.context;
  const newestFirst: WithParts<UserMessage>[] = [];
  let before: string | undefined;
  do {
    const page = await storage.listMessages(live.info.id, { before });
    for (const entry of page.items) {
      if (isOwedPrompt(entry)) newestFirst.push(entry);
      else if (entry.info.role === "user" && compactionOf(entry) === undefined) return newestFirst.reverse();
    }
    before = page.cursor;
  } while (before !== undefined);
  return newestFirst.reverse();
}
