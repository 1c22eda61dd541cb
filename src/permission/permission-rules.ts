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
 * one request, the most restrictive answer wins. A pattern that is only known in full when the call runs is not allowed where a
 * later rule denies anything of its permission: a person is asked. Where no rule matches, the tool's `defaultAction` counts, else allow.
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
    decide: (request) => combineDecisions(decisionsOf(sources, request)),
    hides: (tool) => sources.some((rules) => isToolHidden(rules, tool)),
    explain: (request) => decisionsOf(sources, request).map((decision, index) => ({ pattern: request.patterns[index] ?? "*", ...decision })),
  };
}

function decisionsOf(sources: readonly PermissionRuleList[], request: PermissionRequest): PermissionDecision[] {
  if (request.patterns.length > 0) return request.patterns.map((pattern) => decidePattern(sources, request, pattern));
  // A tool that could not say what it touches may touch anything: no rule about that can have been consulted.
  return [decidePattern(sources, request, "*"), { action: "ask", reason: "The tool did not say what it would touch." }];
}

function decidePattern(sources: readonly PermissionRuleList[], request: PermissionRequest, pattern: string): PermissionDecision {
  const matching = sources.flatMap((rules) => rules.findLast((rule) => matches(rule, request.permission, pattern)) ?? []);
  const decision = matching.length === 0 ? { action: request.defaultAction ?? "allow" } : combineDecisions(matching.map((rule) => ({ action: rule.action, rule })));
  if (decision.action === "deny" || request.uncertain?.includes(pattern) !== true || !sources.some((rules) => mayBeDenied(rules, request.permission, pattern))) return decision;
  return { action: "ask", once: true, reason: `A part of "${pattern}" is only known when it runs, and there are rules that deny what it may come to.` };
}

/** Whether a rule would deny another text than the pattern, and come behind the one that decides about that. */
function mayBeDenied(rules: PermissionRuleList, permission: string, pattern: string): boolean {
  const deciding = rules.findLastIndex((rule) => matches(rule, permission, pattern));
  return rules.slice(deciding + 1).some((rule) => rule.action === "deny" && matchesWildcard(rule.permission, permission));
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
