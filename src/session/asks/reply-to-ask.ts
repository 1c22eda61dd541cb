import { AskNotFoundError, ConflictError, InvalidArgumentError } from "../../errors.ts";
import type { Ask, AskReply } from "../../message/ask.ts";
import { jsonClone } from "../../util/json-clone.ts";
import { jsonObject } from "../../util/json-object.ts";
import { wellFormed } from "../../util/well-formed.ts";
import { anyText, fields, oneOf, type OptionCheck } from "../../util/check-options.ts";
import type { LiveSession } from "../live-session.ts";
import { storedReply } from "./stored-reply.ts";

/**
 * Answers an ask, whoever runs the session. The store lets one answer through, the first.
 *
 * @throws {InvalidArgumentError} it is no reply, or none to this ask
 * @throws {AskNotFoundError} there is no such ask
 * @throws {ConflictError} it was answered before, its time is over, or it was closed; `existing` is the ask
 */
export async function replyToAsk(live: LiveSession, askID: string, given: AskReply): Promise<void> {
  const reply = checkReply(given);
  const ask = (await storedAsks(live)).find(({ id }) => id === askID);
  if (ask !== undefined) checkFits(reply, ask);
  const isLate = ask?.expires !== undefined && ask.status === "open" && live.context.clock.now() >= ask.expires;
  // Whoever finds that the time is over says so: nobody may run the session who would.
  await storeReply(live, askID, ask, isLate ? { decision: "reject" } : reply);
  if (isLate) throw new ConflictError(`The time of ask "${askID}" is over: it counts as rejected.`, ask);
}

/** Open asks of the session, and answered ones that were not carried out. */
export async function storedAsks(live: LiveSession): Promise<Ask[]> {
  await live.journal.flush();
  return (await live.context.storage.inbox(live.info.id)).asks;
}

async function storeReply(live: LiveSession, askID: string, ask: Ask | undefined, reply: AskReply): Promise<void> {
  const { journal } = live;
  const time = live.cancelTime();
  let replied = ask && storedReply(ask, reply, time);
  try {
    await journal.guarded([{ type: "ask.reply", askID, reply, time }], []);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const existing = error.existing as Ask | undefined; // The store says so.
    if (existing === undefined) throw new AskNotFoundError(askID);
    // The store took it, its answer was lost, and the repetition met the row that the first try wrote.
    const isOurs = existing.time.replied === time && existing.reply?.decision === reply.decision;
    if (!isOurs) throw new ConflictError(`Ask "${askID}" ${existing.reply === undefined ? "was closed: its turn has ended" : "was answered before"}. Nothing was changed.`, existing);
    replied = existing;
  }
  if (replied === undefined || live.asks?.hear([replied]) === true) return;
  journal.emit(journal.event("ask.replied", { ask: replied, reply }));
}

/** A person is asked for leave, or for an answer. */
function checkFits({ decision }: AskReply, { id, patterns }: Ask): void {
  const isQuestion = patterns.length === 0;
  if (decision === "answer" && !isQuestion) throw new InvalidArgumentError("reply.decision", `ask "${id}" is about a permission: reply with "once", "always" or "reject".`);
}

const required: OptionCheck = () => undefined;
const isDecision = oneOf("once", "always", "reject", "answer");

function checkReply(reply: AskReply): AskReply {
  // Callers without types pass anything.
  const decision: unknown = (reply as AskReply | null | undefined)?.decision;
  isDecision(decision, "reply.decision");
  fields<{ decision: unknown; message?: unknown; answers?: unknown }>({ decision: required, message: decision === "reject" ? anyText : notHere, answers: decision === "answer" ? required : notHere })(reply, "reply");
  if (reply.decision === "reject") return { decision: "reject", ...(reply.message !== undefined && { message: wellFormed(reply.message) }) };
  if (reply.decision !== "answer") return { decision: reply.decision };
  const { answers }: { answers: unknown } = reply;
  if (answers === undefined) throw new InvalidArgumentError("reply.answers", 'a reply "answer" needs answers: any JSON value.');
  jsonObject({ answers }, "reply.answers");
  return { decision: "answer", answers: jsonClone(reply.answers) };
}

const notHere: OptionCheck = (_value, argument) => {
  throw new InvalidArgumentError(argument, 'a message goes with "reject", and answers with "answer".');
};
