import type { PermissionAction } from "../message/permission-rule.ts";
import type { PermissionDecision } from "./permission-policy.ts";

/** From the least restrictive on. */
const restrictions: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 3 };

function restriction({ action, once }: PermissionDecision): number {
  return action === "ask" && once === true ? restrictions.ask + 1 : restrictions[action];
}

/**
 * The most restrictive decision: deny, then ask, then allow; the first of equals. Use it across the patterns of a request
 * and across sources (agent, prompt, an ancestor's ceiling), so that no source can widen what another one limits.
 *
 * Ask only one of the sources with the tool's `defaultAction`: it speaks where no rule does, and a second source without a
 * matching rule should add nothing.
 *
 * @returns allow for an empty list: nobody objected
 */
export function combineDecisions(decisions: readonly PermissionDecision[]): PermissionDecision {
  const [first, ...others] = decisions;
  if (first === undefined) return { action: "allow" };
  return others.reduce((strictest, next) => (restriction(next) > restriction(strictest) ? next : strictest), first);
}
