import type { PermissionRule } from "../message/permission-rule.ts";
import type { PermissionRequest } from "./permission-policy.ts";
import { escapeWildcards } from "../util/escape-wildcards.ts";
import { matchesWildcard } from "./wildcard.ts";

/** The rules that an "always" saves: for this permission by its exact name, and for each of these patterns. */
export function allowRules(permission: string, patterns: readonly string[]): PermissionRule[] {
  return patterns.map((pattern) => ({ permission: escapeWildcards(permission), pattern, action: "allow" }));
}

/** The saved rules with new ones, each once. */
export function addRules(saved: readonly PermissionRule[], added: readonly PermissionRule[]): PermissionRule[] {
  const isSaved = ({ permission, pattern, action }: PermissionRule): boolean =>
    saved.some((rule) => rule.permission === permission && rule.pattern === pattern && rule.action === action);
  return [...saved, ...added.filter((rule) => !isSaved(rule))];
}

/** The patterns of a request that saved rules do not allow. */
export function unsavedPatterns(saved: readonly PermissionRule[], { permission, patterns }: Pick<PermissionRequest, "permission" | "patterns">): readonly string[] {
  const allows = (pattern: string): boolean =>
    saved.findLast((rule) => matchesWildcard(rule.permission, permission) && matchesWildcard(rule.pattern ?? "*", pattern))?.action === "allow";
  return saved.length === 0 ? patterns : patterns.filter((pattern) => !allows(pattern));
}
