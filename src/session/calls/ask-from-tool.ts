import { AskRejectedError, InvalidArgumentError } from "../../errors.ts";
import type { Ask } from "../../message/ask.ts";
import type { PermissionDecision } from "../../permission/permission-policy.ts";
import type { ToolPart } from "../../message/part.ts";
import { deniedText, lateQuestionText, noAnswerText, questionRejectedText, unansweredQuestionText } from "../../tools/error-texts.ts";
import type { ToolAnswer, ToolQuestion } from "../../tools/tool-context.ts";
import { anyText, checkOptions, list, text, type OptionCheck } from "../../util/check-options.ts";
import { askTimeout } from "../asks/ask-options.ts";
import type { AskDesk } from "../asks/ask-desk.ts";
import { isUnanswered } from "../asks/stored-reply.ts";
import type { Slot } from "../slot.ts";
import type { CallLocks } from "./call-locks.ts";
import { decide, type Leave } from "./decide-call.ts";
import { endsTurn } from "./obtain-leave.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import type { ToolTimer } from "./tool-timer.ts";

/** What stands still while a tool waits for a person. */
interface Standing {
  timer: ToolTimer;
  slot: Slot | undefined;
  locks: CallLocks | undefined;
  /** Whether the tool has ended: nobody would take note of an answer, or close the ask. */
  hasEnded: () => boolean;
}

/** What a tool asks that names no permission. No rule is written for it, and none is saved. */
const questionPermission = "question";

/**
 * Asks a person for a tool that runs, and waits for the reply.
 *
 * @throws {AskRejectedError} the answer is no
 * @throws {InvalidArgumentError} the question is not one
 */
export async function askFromTool(question: ToolQuestion, ready: ReadyCall, environment: ToolEnvironment, standing: Standing): Promise<ToolAnswer> {
  checkQuestion(question);
  const { asks } = environment;
  const { call, tool, input } = ready;
  const leave = leaveOf(question, ready);
  const reconsider = (): ReturnType<typeof decide> => (leave === undefined ? { action: "ask" } : decide(call, leave, environment));
  refuseLate(question, ready, standing);
  const decision = await reconsider();
  refuseLate(question, ready, standing);
  if (decision.action === "allow") return { decision: "once" };
  refuseDenied(decision, ready);
  const { title, permission = questionPermission, always, impact, diff, timeoutMs } = question;
  const ask = asks?.open({ permission, patterns: leave?.patterns ?? [], always, input, title, impact, diff, timeoutMs }, call.part);
  if (asks === undefined || ask === undefined) throw new AskRejectedError(noAnswerText(tool.name), false);
  standing.timer.pause();
  standing.locks?.letGo();
  standing.slot?.leave();
  try {
    const answered = await replyTo(ask, asks, { signal: environment.signal, reconsider });
    await standing.locks?.take();
    await standing.slot?.enter();
    const given = toAnswer(answered, asks);
    // What is denied by the time that it is answered is not allowed by the answer.
    refuseDenied(await reconsider(), ready);
    return given;
  } finally {
    standing.timer.resume();
  }
}

function refuseLate({ title }: ToolQuestion, { tool }: ReadyCall, { hasEnded }: Standing): void {
  if (hasEnded()) throw new AskRejectedError(lateQuestionText(tool.name, title), false);
}

function refuseDenied({ action, ...decision }: PermissionDecision, { tool }: ReadyCall): void {
  if (action === "deny") throw new AskRejectedError(deniedText(tool.name, decision), false);
}

/** Waits for the reply, and takes note of it. */
async function replyTo(ask: Ask, asks: AskDesk, waiting: Pick<ToolEnvironment, "signal"> & { reconsider: () => ReturnType<typeof decide> }): Promise<Ask> {
  const answer = await asks.wait(ask, { ...waiting, runs: true });
  if (answer.type === "replied") {
    asks.carryOut(answer.ask);
    return answer.ask;
  }
  asks.drop([ask]);
  throw waiting.signal.aborted ? waiting.signal.reason : new AskRejectedError(unansweredQuestionText(ask.tool, ask.title), false);
}

/** A tool that has ended waits for nothing any more. */
export function dropQuestions({ id, messageID }: ToolPart, { asks }: ToolEnvironment): void {
  if (asks === undefined || asks.isEmpty) return;
  asks.drop(asks.all.filter((ask) => ask.partID === id && ask.messageID === messageID));
}

function leaveOf({ permission, patterns = ["*"], always }: ToolQuestion, { tool, input }: ReadyCall): Leave | undefined {
  return permission === undefined ? undefined : { tool: tool.name, permission, patterns, input, defaultAction: "ask", told: { always } };
}

function toAnswer(ask: Ask, { settings }: AskDesk): ToolAnswer {
  const { reply, tool, title } = ask;
  if (reply !== undefined && reply.decision !== "reject") return reply;
  const message = reply?.message;
  throw new AskRejectedError(isUnanswered(ask) ? unansweredQuestionText(tool, title) : questionRejectedText(tool, title, message), endsTurn(message, settings));
}

const texts: OptionCheck = (value, argument) => {
  list(value, argument);
  // list has checked that it is one.
  for (const [index, item] of (value as unknown[]).entries()) anyText(item, `${argument}[${index}]`);
};

function checkQuestion(question: ToolQuestion): void {
  checkOptions("context.ask.question", question, { title: text, permission: text, patterns: texts, always: texts, impact: anyText, diff: anyText, timeoutMs: askTimeout }, ["title"]);
  const { permission, patterns, always } = question;
  if (permission !== undefined || (patterns === undefined && always === undefined)) return;
  throw new InvalidArgumentError("context.ask.question", "patterns and always are of a permission, and there is none. Give `permission`, or leave them out.");
}
