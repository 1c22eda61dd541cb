import type { Ask, AskReply } from "../../message/ask.ts";

/** The ask as the store has it once it took the reply. */
export function storedReply(ask: Ask, reply: AskReply, time: number): Ask {
  return { ...ask, status: "replied", reply, time: { created: ask.time.created, replied: time } };
}

/** Whether the ask's time was over before somebody answered: then nobody has. */
export function isUnanswered({ expires, reply, time }: Ask): boolean {
  return expires !== undefined && time.replied !== undefined && time.replied >= expires && reply?.decision === "reject";
}
