import type { PermissionRule } from "../../message/permission-rule.ts";
import { combineDecisions } from "../../permission/combine-decisions.ts";
import type { PermissionPolicy } from "../../permission/permission-policy.ts";
import { permissionRules } from "../../permission/permission-rules.ts";

/** The agent's policy under the ceiling of a prompt's own rules, which can only take away. */
export function turnPolicy(policy: PermissionPolicy, ceiling: readonly PermissionRule[] | undefined): PermissionPolicy {
  if (ceiling === undefined || ceiling.length === 0) return policy;
  const limit = permissionRules(ceiling);
  return {
    hides: (tool) => policy.hides?.(tool) === true || limit.hides?.(tool) === true,
    decide: async (request) => {
      const own = await policy.decide(request);
      // Where the ceiling has no rule it adds nothing: the tool's default was asked for once already.
      return combineDecisions([own, await limit.decide({ ...request, defaultAction: "allow" })]);
    },
  };
}
