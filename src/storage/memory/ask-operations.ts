import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

export function putAsk(record: SessionRecord, { ask }: OperationOf<"ask.put">): void {
  record.asks.put(ask.id, deepFreeze(ask));
}

export function replyToAsk(record: SessionRecord, { askID, reply, time }: OperationOf<"ask.reply">): void {
  const ask = record.asks.get(askID);
  if (ask?.status !== "open") throw new ConflictError(`Ask "${askID}" is not open, so it cannot be replied to.`, ask);
  record.asks.put(askID, deepFreeze({ ...ask, status: "replied", reply, time: { ...ask.time, replied: time } }));
}
