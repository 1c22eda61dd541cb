import type { Ask } from "../../message/ask.ts";
import { deniedText, noAnswerText, rejectedText, toolNotStartedText, unansweredText } from "../../tools/error-texts.ts";
import type { AskDesk } from "../asks/ask-desk.ts";
import { isUnanswered } from "../asks/stored-reply.ts";
import { closeCall, type Refusal, type StepCalls } from "./close-calls.ts";
import { decide } from "./decide-call.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { answerProvider } from "./provider-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/**
 * Waits for a person's answer about a call.
 *
 * @returns `allowed`: it may run now, with its ask answered; `closed`: it has its result; `suspended`: it waits on, but not here
 */
export async function obtainLeave(prepared: PreparedCall & { ask: Ask }, calls: StepCalls, environment: ToolEnvironment): Promise<"allowed" | "closed" | "suspended"> {
  const { call, leave, ask } = prepared;
  const { asks, signal } = environment;
  if (asks === undefined) return "suspended";
  const answer = await asks.wait(ask, { signal, reconsider: () => decide(call, leave, environment), runs: false });
  if (answer.type === "suspended") return "suspended";
  if (answer.type !== "replied") {
    asks.drop([ask]);
    closeCall(call, toolNotStartedText(call.part.tool), calls, environment);
    return "closed";
  }
  const refusal = refusalBy(answer.ask, asks) ?? (await refusalSince(prepared, environment));
  if (refusal === undefined && prepared.tool !== undefined) {
    prepared.ask = answer.ask;
    return "allowed";
  }
  asks.carryOut(answer.ask);
  if (prepared.tool === undefined) answerProvider(call, refusal, calls, environment);
  else closeCall(call, refusal ?? noAnswerText(call.part.tool), calls, environment);
  asks.pause.done();
  return "closed";
}

/** Why a call does not run after this answer; `undefined` when it may. */
function refusalBy({ reply, tool, ...ask }: Ask, { settings }: AskDesk): Refusal | undefined {
  if (reply?.decision === "once" || reply?.decision === "always") return undefined;
  // An answer to a question is no leave.
  const message = reply?.decision === "reject" ? reply.message : undefined;
  const error = isUnanswered({ ...ask, tool, reply }) ? unansweredText(tool) : rejectedText(tool, message);
  return { error, rejected: endsTurn(message, settings) };
}

/** What is denied by the time that it is answered does not run. One that was answered before has been decided about just now. */
async function refusalSince({ call, leave, ask }: PreparedCall & { ask: Ask }, environment: ToolEnvironment): Promise<Refusal | undefined> {
  if (ask.status !== "open") return undefined;
  try {
    const decision = await decide(call, leave, environment);
    return decision.action === "deny" ? { error: deniedText(leave.tool, decision) } : undefined;
  } catch (error) {
    // Nothing of an aborted turn runs; whoever is to run it sees to that.
    if (environment.signal.aborted) return undefined;
    throw error;
  }
}

/** Whether a rejection ends the turn. */
export function endsTurn(message: string | undefined, { onReject }: AskDesk["settings"]): boolean {
  return onReject === undefined ? message === undefined : onReject === "stop";
}
