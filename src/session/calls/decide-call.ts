import type { Ask } from "../../message/ask.ts";
import type { PermissionDecision, PermissionRequest } from "../../permission/permission-policy.ts";
import type { NeededPermission } from "../../tools/compiled-tool.ts";
import type { FurtherPermission } from "../../tools/tool.ts";
import { combineDecisions } from "../../permission/combine-decisions.ts";
import { deniedText, noAnswerText } from "../../tools/error-texts.ts";
import type { Question } from "../asks/ask-desk.ts";
import type { StreamedCall } from "../step/call-fold.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import { waitForLeave } from "./wait-for-leave.ts";

/** The leave that a call needs. */
export interface Leave extends Pick<PermissionRequest, "tool" | "permission" | "patterns" | "uncertain" | "input" | "defaultAction"> {
  /** What else is needed, and what a person is told who is asked for it. */
  told: Pick<NeededPermission, "always" | "title" | "impact" | "diff" | "unaccounted" | "also">;
}

/** One thing that leave is needed for. */
type Need = Pick<Leave, "permission" | "patterns" | "uncertain" | "defaultAction"> & Pick<FurtherPermission, "always" | "byNameOnly">;

/** What is decided about all that a call needs. */
export interface LeaveDecision extends PermissionDecision {
  /** What a person is to be asked for; absent when that is the call's own permission. */
  asked?: readonly Need[] | undefined;
}

/** Asks the policy, and the rules that were saved. */
export function decide(call: StreamedCall, leave: Leave, environment: ToolEnvironment): LeaveDecision | Promise<LeaveDecision> {
  const { unaccounted, also } = leave.told;
  return unaccounted === undefined && also === undefined ? decideOne(call, leave, leave, environment) : decideAll(call, leave, environment);
}

async function decideAll(call: StreamedCall, leave: Leave, environment: ToolEnvironment): Promise<LeaveDecision> {
  const { always, also = [], unaccounted } = leave.told;
  const needs: Need[] = [{ permission: leave.permission, patterns: leave.patterns, uncertain: leave.uncertain, defaultAction: leave.defaultAction, always }, ...also];
  const decisions = await Promise.all(needs.map(async (need) => decideOne(call, leave, need, environment)));
  const decision = combineDecisions(decisions);
  if (decision.action === "deny" || (decision.action === "allow" && unaccounted === undefined)) return decision;
  const asked = needs.flatMap((need, index) => {
    const { action, once } = decisions[index] ?? decision;
    return action === "ask" ? [once === true ? savingNothing(need) : need] : [];
  });
  if (unaccounted === undefined) return { ...decision, asked };
  // No answer can be kept for later: nobody knows what else would be covered by it.
  return { action: "ask", reason: unaccounted, asked: (asked.length === 0 ? needs.slice(0, 1) : asked).map(savingNothing) };
}

/** Asked about each time anew. */
function savingNothing(need: Need): Need {
  return { ...need, always: [] };
}

function decideOne(call: StreamedCall, { tool, input }: Pick<Leave, "tool" | "input">, need: Need, environment: ToolEnvironment): PermissionDecision | Promise<PermissionDecision> {
  const { sessionID, rootID, agent, policy } = environment;
  const { messageID, callID } = call.part;
  const { permission, patterns, uncertain, defaultAction } = need;
  // Field by field: a spread before or behind others makes an object that V8 has no cached shape for.
  const deciding = policy.decide({ sessionID, rootID, agent, tool, messageID, callID, permission, patterns, uncertain, input, defaultAction });
  const decision = deciding instanceof Promise ? waitForLeave(deciding, { of: "The permission policy", tool, callID }, environment) : deciding;
  const judge = (decided: PermissionDecision): PermissionDecision | Promise<PermissionDecision> => bySaved(byName(decided, need), { call, leave: { tool, input }, need }, environment);
  return decision instanceof Promise ? decision.then(judge) : judge(decision);
}

/** What only a rule of its own name may allow is asked about when another did. */
function byName(decision: PermissionDecision, { permission, byNameOnly }: Need): PermissionDecision {
  return byNameOnly !== true || decision.action !== "allow" || decision.rule?.permission === permission ? decision : { action: "ask" };
}

/** What was always allowed need not be asked again; nothing that is denied becomes allowed by it. What is left of the patterns is judged anew. */
function bySaved(decision: PermissionDecision, { call, leave, need }: { call: StreamedCall; leave: Pick<Leave, "tool" | "input">; need: Need }, environment: ToolEnvironment): PermissionDecision | Promise<PermissionDecision> {
  if (decision.action !== "ask" || decision.once === true) return decision;
  const left = environment.asks?.unsaved(need);
  if (left === undefined || left.length === need.patterns.length) return decision;
  if (left.length === 0) return { action: "allow" };
  return decideOne(call, leave, { ...need, patterns: left }, environment);
}

/** What becomes of a call: it may run, a person is asked first, or its result says why it does not run. */
export type Verdict = { action: "allow"; ask: undefined } | { action: "ask"; ask: Ask } | { action: "refuse"; ask: undefined; error: string };

const allowed: Verdict = Object.freeze({ action: "allow", ask: undefined });

/**
 * Judges a call by the decision about it. One that was asked about before its process ended is answered by that very ask,
 * unless it is denied now.
 *
 * @param onOpened a new ask was written: what belongs into its commit is to be written now
 */
export function judge(call: StreamedCall, leave: Leave & { title: string }, decision: LeaveDecision, { asks, onOpened }: Pick<ToolEnvironment, "asks"> & { onOpened: () => void }): Verdict {
  const { tool } = leave;
  if (decision.action === "deny") return { action: "refuse", ask: undefined, error: deniedText(tool, decision) };
  const asked = asks?.of(call.part);
  if (asked !== undefined) {
    if (decision.action === "allow" && asked.status === "open") asks?.allow(asked);
    return { action: "ask", ask: asked };
  }
  if (decision.action === "allow") return allowed;
  const ask = asks?.open(questionOf(leave, decision), call.part);
  // Nothing turns an ask into allow: where nobody can answer one, the call does not run.
  if (ask === undefined) return { action: "refuse", ask, error: noAnswerText(tool) };
  onOpened();
  return { action: "ask", ask };
}

function questionOf({ told, title, input, permission, patterns }: Leave & { title: string }, { asked, reason, once }: LeaveDecision): Question {
  const [own = { permission, patterns, always: once === true ? [] : told.always }, ...also] = asked ?? [];
  return { permission: own.permission, patterns: own.patterns, always: own.always, also, input, title: told.title ?? title, impact: told.impact, diff: told.diff, reason };
}
