import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors.ts";
import type { PermissionAction, PermissionRule } from "../../src/message/permission-rule.ts";
import { combineDecisions } from "../../src/permission/combine-decisions.ts";
import { isToolHidden } from "../../src/permission/is-tool-hidden.ts";
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from "../../src/permission/permission-policy.ts";
import { permissionRules } from "../../src/permission/permission-rules.ts";

function request(permission: string, patterns: string[], defaultAction?: PermissionAction): PermissionRequest {
  return { sessionID: "ses_1", rootID: "ses_1", agent: "main", tool: permission, permission, patterns, input: {}, messageID: "msg_1", callID: "call_1", defaultAction };
}

function decide(policy: PermissionPolicy, ...of: Parameters<typeof request>): PermissionDecision {
  const decision = policy.decide(request(...of));
  if (decision instanceof Promise) throw new Error("rules decide at once");
  return decision;
}

const allowAll: PermissionRule = { permission: "*", action: "allow" };
const denyPush: PermissionRule = { permission: "bash", pattern: "git push*", action: "deny" };
const askBash: PermissionRule = { permission: "bash", action: "ask" };

describe("permissionRules", () => {
  it("lets the last matching rule win, and names it", () => {
    expect(decide(permissionRules([allowAll, denyPush]), "bash", ["git push origin"])).toEqual({ action: "deny", rule: denyPush });
    expect(decide(permissionRules([denyPush, allowAll]), "bash", ["git push origin"])).toEqual({ action: "allow", rule: allowAll });
  });

  it("takes a rule without a pattern for all patterns", () => {
    expect(decide(permissionRules([askBash]), "bash", ["anything\nat all"]).action).toBe("ask");
  });

  it("matches permission names by wildcard", () => {
    const policy = permissionRules([{ permission: "mcp_*", action: "deny" }]);
    expect(decide(policy, "mcp_search", ["*"]).action).toBe("deny");
    expect(decide(policy, "read", ["*"]).action).toBe("allow");
  });

  it("takes the most restrictive answer over the patterns of one request", () => {
    const policy = permissionRules([allowAll, askBash, { permission: "bash", pattern: "ls *", action: "allow" }, denyPush]);
    expect(decide(policy, "bash", ["ls -la"]).action).toBe("allow");
    expect(decide(policy, "bash", ["ls -la", "rm x"]).action).toBe("ask");
    expect(decide(policy, "bash", ["rm x", "git push", "ls"])).toEqual({ action: "deny", rule: denyPush });
  });

  it("takes the most restrictive answer over several lists", () => {
    const policy = permissionRules([allowAll], [denyPush], []);
    expect(decide(policy, "bash", ["git push"]).action).toBe("deny");
    expect(decide(policy, "bash", ["ls"]).action).toBe("allow");
  });

  it("uses the tool's default only where no list has a matching rule", () => {
    expect(decide(permissionRules([], []), "bash", ["ls"], "ask")).toEqual({ action: "ask" });
    expect(decide(permissionRules([], [allowAll]), "bash", ["ls"], "ask").action).toBe("allow");
    expect(decide(permissionRules([]), "bash", ["ls"])).toEqual({ action: "allow" });
  });

  it("does not allow what names nothing that it touches", () => {
    expect(decide(permissionRules([allowAll]), "bash", []).action).toBe("ask");
    expect(decide(permissionRules([{ permission: "bash", action: "deny" }]), "bash", []).action).toBe("deny");
  });

  it("explains each pattern", () => {
    expect(permissionRules([allowAll, denyPush]).explain?.(request("bash", ["ls", "git push"]))).toEqual([
      { pattern: "ls", action: "allow", rule: allowAll },
      { pattern: "git push", action: "deny", rule: denyPush },
    ]);
  });

  it("explains what names no pattern as it decides about it", () => {
    expect(permissionRules([allowAll]).explain?.(request("bash", []))).toEqual([
      { pattern: "*", action: "allow", rule: allowAll },
      { pattern: "*", action: "ask", reason: "The tool did not say what it would touch." },
    ]);
  });

  it.each<[string, PermissionRule[][], string]>([
    ["a later rule denies some of what it may come to", [[allowAll, { permission: "bash", pattern: "*.env*", action: "deny" }]], "ask"],
    ["another list does", [[allowAll], [{ permission: "b*", pattern: "*.env*", action: "deny" }]], "ask"],
    ["no rule allows it", [[{ permission: "bash", pattern: "*.env*", action: "deny" }]], "ask"],
    ["the rule that allows it comes behind", [[{ permission: "bash", action: "deny" }, { permission: "bash", pattern: "cat *", action: "allow" }]], "allow"],
    ["what is denied is something else", [[allowAll, { permission: "fetch", action: "deny" }]], "allow"],
    ["it is denied as it stands", [[allowAll, { permission: "bash", pattern: "cat *", action: "deny" }]], "deny"],
  ])("R130: judges a pattern that is only known when it runs, where %s", (_where, lists, action) => {
    const about = { ...request("bash", ["cat .en?"]), uncertain: ["cat .en?"] };
    const decision = permissionRules(...lists).decide(about);
    expect(decision).toMatchObject(action === "ask" ? { action, once: true } : { action });
    expect(permissionRules(...lists).decide({ ...about, uncertain: [] })).toMatchObject({ action: action === "deny" ? "deny" : "allow" });
  });

  it("does not change when the caller's list does", () => {
    const rules = [{ ...denyPush }];
    const policy = permissionRules(rules);
    rules[0] = allowAll;
    rules.push(allowAll);
    expect(decide(policy, "bash", ["git push"]).action).toBe("deny");
  });

  it.each([
    ["an unknown action", [allowAll, { permission: "bash", action: "forbid" }], "permissionRules[1].action"],
    ["no permission", [{ action: "deny" }], "permissionRules[0].permission"],
    ["an empty permission", [{ permission: "", action: "deny" }], "permissionRules[0].permission"],
    ["a pattern that is no string", [{ permission: "a", pattern: 1, action: "deny" }], "permissionRules[0].pattern"],
    ["no rule", [null], "permissionRules[0]"],
    ["no list", { bash: "deny" }, "permissionRules[0]"],
  ])("refuses %s, and says where", (_, rules, argument) => {
    const attempt = () => permissionRules(rules as never);
    expect(attempt).toThrow(InvalidArgumentError);
    expect(attempt).toThrow(expect.objectContaining({ argument }));
  });

  it("refuses no list at all: that would allow everything, as if rules had been applied", () => {
    expect(() => permissionRules()).toThrow(/needs a list of \{ permission, pattern\?, action \}/);
    expect(() => permissionRules()).toThrow(InvalidArgumentError);
  });

  it("never allows more with one more pattern or one more list, for any rules", () => {
    const rule = fc.record({
      permission: fc.constantFrom("*", "bash", "b*", "read"),
      pattern: fc.constantFrom("*", "a", "a*", "?b"),
      action: fc.constantFrom<PermissionAction>("allow", "deny", "ask"),
    });
    const pattern = fc.constantFrom("a", "ab", "b", "*");
    const rank = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      // The first list always matches, so that a further one cannot replace the default.
      fc.property(fc.array(rule), fc.array(rule), fc.array(pattern, { minLength: 1 }), pattern, (rules, ceiling, patterns, more) => {
        const own = permissionRules([allowAll, ...rules]);
        const limited = permissionRules([allowAll, ...rules], ceiling);
        expect(rank[decide(own, "bash", [...patterns, more]).action]).toBeGreaterThanOrEqual(rank[decide(own, "bash", patterns).action]);
        expect(rank[decide(limited, "bash", patterns).action]).toBeGreaterThanOrEqual(rank[decide(own, "bash", patterns).action]);
      }),
    );
  });
});

describe("combineDecisions", () => {
  it.each<[PermissionAction[], PermissionAction]>([
    [[], "allow"],
    [["allow", "ask"], "ask"],
    [["ask", "deny", "allow"], "deny"],
  ])("%j gives %s", (actions, expected) => {
    expect(combineDecisions(actions.map((action) => ({ action }))).action).toBe(expected);
  });

  it("keeps the first of equals, with its reason", () => {
    expect(combineDecisions([{ action: "allow" }, { action: "deny", reason: "first" }, { action: "deny", reason: "second" }])).toEqual({ action: "deny", reason: "first" });
  });
});

describe("isToolHidden", () => {
  it.each<[string, PermissionRule[], boolean]>([
    ["a plain deny", [{ permission: "bash", action: "deny" }], true],
    ["deny by wildcard", [allowAll, { permission: "b*", pattern: "*", action: "deny" }], true],
    ["deny, then allow some", [{ permission: "bash", action: "deny" }, { permission: "bash", pattern: "ls", action: "allow" }], false],
    ["deny some", [denyPush], false],
    ["deny all, then some again", [{ permission: "bash", action: "deny" }, denyPush], false],
    ["deny another", [{ permission: "read", action: "deny" }], false],
    ["ask", [askBash], false],
    ["nothing", [], false],
  ])("%s", (_, rules, expected) => {
    expect(isToolHidden(rules, "bash")).toBe(expected);
  });
});
