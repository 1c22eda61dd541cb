import type { OwedTurn } from "../recovery/owed-turn.ts";
import type { ActiveTurn } from "../turn/active-turn.ts";
import { answersTo } from "../turn/stored-turn.ts";
import { toWaitingResult } from "../turn/turn-result.ts";
import type { SessionRun } from "../session-run.ts";

/**
 * Leaves a turn as it waits: nothing is written, so that it can go on from there in any process. Returns how to settle its
 * turns of this process, as `waiting`.
 *
 * @param owed the turn as it is stored, when this process has not begun it
 */
export async function leaveWaiting(run: SessionRun, turn: ActiveTurn, owed?: OwedTurn): Promise<() => void> {
  const { live, asks } = run;
  run.waiting = turn;
  const own = (owed?.prompts.map(({ info }) => info) ?? turn.prompts).filter(({ id }) => live.turns.has(id));
  if (own.length === 0) return () => undefined;
  await live.journal.flush();
  const messages = await answersTo(live.context.storage, turn.prompt.info);
  const open = asks.all.filter(({ status }) => status === "open");
  return () => {
    for (const { id } of own) live.turns.get(id)?.settle(toWaitingResult(id, [...messages], [...open]));
  };
}
