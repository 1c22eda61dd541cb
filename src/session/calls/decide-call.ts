import type { Ask } from "../../message/ask.ts";
import type { PermissionDecision, PermissionRequest } from "../../permission/permission-policy.ts";
import type { NeededPermission } from "../../tools/compiled-tool.ts";
import { deniedText, noAnswerText } from "../../tools/error-texts.ts";
import { untilAborted } from "../../util/until-aborted.ts";
import type { StreamedCall } from "../step/call-fold.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** The leave that a call needs. */
export interface Leave extends Pick<PermissionRequest, "tool" | "permission" | "patterns" | "input" | "defaultAction"> {
  /** What a person is told who is asked for it. */
  told: Pick<NeededPermission, "always" | "title" | "impact" | "diff">;
}

/** Asks the policy, and the rules that were saved. */
export function decide(call: StreamedCall, leave: Leave, environment: ToolEnvironment): PermissionDecision | Promise<PermissionDecision> {
  const { tool, permission, patterns, input, defaultAction } = leave;
  const { sessionID, rootID, agent, policy } = environment;
  const { messageID, callID } = call.part;
  // Field by field: a spread before or behind others makes an object that V8 has no cached shape for.
  const decision = settled(policy.decide({ sessionID, rootID, agent, tool, messageID, callID, permission, patterns, input, defaultAction }), environment);
  return decision instanceof Promise ? decision.then((decided) => bySaved(decided, leave, environment)) : bySaved(decision, leave, environment);
}

/** What was always allowed need not be asked again; nothing that is denied becomes allowed by it. */
function bySaved(decision: PermissionDecision, leave: Leave, { asks }: ToolEnvironment): PermissionDecision {
  return decision.action === "ask" && asks?.isSaved(leave) === true ? { action: "allow" } : decision;
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
export function judge(call: StreamedCall, leave: Leave & { title: string }, decision: PermissionDecision, { asks, onOpened }: Pick<ToolEnvironment, "asks"> & { onOpened: () => void }): Verdict {
  const { tool, permission, patterns, input, told } = leave;
  if (decision.action === "deny") return { action: "refuse", ask: undefined, error: deniedText(tool, decision) };
  const asked = asks?.of(call.part);
  if (asked !== undefined) {
    if (decision.action === "allow" && asked.status === "open") asks?.allow(asked);
    return { action: "ask", ask: asked };
  }
  if (decision.action === "allow") return allowed;
  const { always, impact, diff } = told;
  const ask = asks?.open({ permission, patterns, always, input, title: told.title ?? leave.title, impact, diff }, call.part);
  // Nothing turns an ask into allow: where nobody can answer one, the call does not run.
  if (ask === undefined) return { action: "refuse", ask, error: noAnswerText(tool) };
  onOpened();
  return { action: "ask", ask };
}

/** A policy is foreign code, and may ask a person in its own way: it may take its time, but not past the end of the turn. */
export function settled<T>(value: T | Promise<T>, environment: Pick<ToolEnvironment, "signal">): T | Promise<T> {
  return value instanceof Promise ? untilAborted(value, environment.signal) : value;
}
