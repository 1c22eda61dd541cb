import type { PermissionDecision } from "../../permission/permission-policy.ts";
import { decide, type Leave } from "../calls/decide-call.ts";
import type { ToolEnvironment } from "../calls/tool-environment.ts";
import { holdRepetitionAt, stopRepetitionAt } from "../defaults.ts";
import type { StreamedCall } from "../step/call-fold.ts";

type TitledLeave = Leave & { title: string };

/** What rules about repeated calls are for; the patterns are names of tools. */
const permission = "doom_loop";

/** What was decided, and about which leave. */
export interface LeaveDecision {
  leave: TitledLeave;
  decision: PermissionDecision;
}

/**
 * Decides about a call, and about its repetition, when there is one. One that comes too often is held back for a person,
 * unless the policy says otherwise; one that comes more often still does not run, unless it was always allowed.
 */
export async function decideRepeated(call: StreamedCall, leave: TitledLeave, environment: ToolEnvironment): Promise<LeaveDecision> {
  const deciding = decide(call, leave, environment);
  const decision = deciding instanceof Promise ? await deciding : deciding;
  const { repeated = 1 } = call;
  if (repeated < holdRepetitionAt) return { leave, decision };
  const repetition = repetitionOf(leave, repeated);
  const about = await decide(call, repetition, environment);
  if (isMeant(about, repetition, environment)) return { leave, decision };
  if (repeated >= stopRepetitionAt) return { leave, decision: { action: "deny", reason: `It was called ${repeated} times in a row, and came to the same.` } };
  // Who is asked about the call itself sees what it is.
  return decision.action === "allow" && about.action !== "allow" ? { leave: repetition, decision: about } : { leave, decision };
}

/** A rule for just this, or a person's "always": allowing everything says nothing about going round in a circle. */
function isMeant({ action, rule }: PermissionDecision, repetition: Leave, { asks }: ToolEnvironment): boolean {
  return action === "allow" && (rule?.permission === permission || asks?.isSaved(repetition) === true);
}

function repetitionOf({ tool, input, title, told }: TitledLeave, repeated: number): TitledLeave {
  const impact = `The model makes this call for the ${repeated}th time in a row, and each time it came to the same.`;
  return { tool, permission, patterns: [tool], input, defaultAction: "ask", title, told: { title: `${told.title ?? title} (repeated)`, always: [tool], impact } };
}
