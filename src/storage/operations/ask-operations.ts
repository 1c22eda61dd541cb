import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionView } from "./session-view.ts";

export function putAsk(session: SessionView, { ask }: OperationOf<"ask.put">): void {
  session.asks.put(ask.id, deepFreeze(ask));
}

export function replyToAsk(session: SessionView, { askID, reply, time }: OperationOf<"ask.reply">): void {
  const ask = session.asks.get(askID);
  if (ask?.status !== "open") throw new ConflictError(`Ask "${askID}" is not open, so it cannot be replied to.`, ask);
  session.asks.put(askID, deepFreeze({ ...ask, status: "replied", reply, time: { ...ask.time, replied: time } }));
}
