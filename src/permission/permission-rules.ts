import { InvalidArgumentError } from "../errors.ts";
import type { PermissionRule } from "../message/permission-rule.ts";
import { combineDecisions } from "./combine-decisions.ts";
import { isToolHidden } from "./is-tool-hidden.ts";
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from "./permission-policy.ts";
import { matchesWildcard } from "./wildcard.ts";

/** One ordered list of rules. */
export type PermissionRuleList = readonly PermissionRule[];

/**
 * A policy made of ordered rules. For each pattern of a request the **last** rule wins whose permission and pattern match,
 * as in OpenCode: put the general rule first and the exceptions after it. Across several lists, and across the patterns of
 * one request, the most restrictive answer wins. Where no rule matches, the tool's `defaultAction` counts, else allow.
 *
 * @throws {InvalidArgumentError} no list, a rule without a permission or with another action than allow, deny and ask
 *
 * @example
 * const policy = permissionRules([
 *   { permission: "*", action: "allow" },
 *   { permission: "bash", pattern: "git push*", action: "deny" },
 * ])
 */
export function permissionRules(...lists: PermissionRuleList[]): PermissionPolicy {
  if (lists.length === 0) throw new InvalidArgumentError("permissionRules", "needs a list of { permission, pattern?, action }. An empty list, permissionRules([]), leaves all to the tools' defaults.");
  lists.forEach(checkRules);
  // The caller's lists may change later; what was checked must be what is applied.
  const sources = lists.map((rules) => rules.map((rule) => ({ ...rule })));
  return {
    decide: (request) => decide(sources, request),
    hides: (tool) => sources.some((rules) => isToolHidden(rules, tool)),
    explain: (request) => request.patterns.map((pattern) => ({ pattern, ...decidePattern(sources, request, pattern) })),
  };
}

function decide(sources: readonly PermissionRuleList[], request: PermissionRequest): PermissionDecision {
  const decisions = request.patterns.map((pattern) => decidePattern(sources, request, pattern));
  // A tool that could not say what it touches may touch anything: no rule about that can have been consulted.
  if (request.patterns.length === 0) {
    decisions.push(decidePattern(sources, request, "*"), { action: "ask", reason: "The tool did not say what it would touch." });
  }
  return combineDecisions(decisions);
}

function decidePattern(sources: readonly PermissionRuleList[], request: PermissionRequest, pattern: string): PermissionDecision {
  const matching = sources.flatMap((rules) => rules.findLast((rule) => matches(rule, request.permission, pattern)) ?? []);
  if (matching.length === 0) return { action: request.defaultAction ?? "allow" };
  return combineDecisions(matching.map((rule) => ({ action: rule.action, rule })));
}

function matches(rule: PermissionRule, permission: string, pattern: string): boolean {
  return matchesWildcard(rule.permission, permission) && matchesWildcard(rule.pattern ?? "*", pattern);
}

function checkRules(rules: unknown, list: number): void {
  if (!Array.isArray(rules)) throw new InvalidArgumentError(`permissionRules[${list}]`, "must be a list of { permission, pattern?, action }.");
  rules.forEach((rule: unknown, index) => {
    checkRule(rule, `permissionRules[${index}]`);
  });
}

function checkRule(rule: unknown, argument: string): void {
  if (typeof rule !== "object" || rule === null) throw new InvalidArgumentError(argument, "must be { permission, pattern?, action }.");
  const { permission, pattern, action }: { permission?: unknown; pattern?: unknown; action?: unknown } = rule;
  if (typeof permission !== "string" || permission === "") {
    throw new InvalidArgumentError(`${argument}.permission`, 'must name a permission, usually a tool. "*" means all.');
  }
  if (pattern !== undefined && typeof pattern !== "string") throw new InvalidArgumentError(`${argument}.pattern`, "must be a string.");
  if (action !== "allow" && action !== "deny" && action !== "ask") {
    throw new InvalidArgumentError(`${argument}.action`, 'must be "allow", "deny" or "ask".');
  }
}
