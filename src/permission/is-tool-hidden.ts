import type { PermissionRule } from "../message/permission-rule.ts";
import { matchesWildcard } from "./wildcard.ts";

/**
 * Whether the rules deny a tool altogether, so that the model need not see it: the last rule for the permission denies
 * every pattern. A later rule that allows some pattern keeps the tool visible; its calls are then judged one by one.
 *
 * @param permission - name of the tool's permission, usually the tool's name
 */
export function isToolHidden(rules: readonly PermissionRule[], permission: string): boolean {
  const rule = rules.findLast((candidate) => matchesWildcard(candidate.permission, permission));
  return rule?.action === "deny" && (rule.pattern ?? "*") === "*";
}
