import { InvalidArgumentError } from "../errors.ts";
import type { PermissionAction } from "../message/permission-rule.ts";
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from "./permission-policy.ts";
import { permissionRules, type PermissionRuleList } from "./permission-rules.ts";
import { errorMessage } from "../util/error-message.ts";

/** The ways to say what is permitted: rules, a policy, or a function that decides. */
export type PermissionSource = PermissionRuleList | PermissionPolicy | PermissionFunction;

export type PermissionFunction = (
  request: PermissionRequest,
) => PermissionDecision | PermissionAction | Promise<PermissionDecision | PermissionAction>;

/**
 * Makes a policy of any source. The policy never throws: when the source does, or answers with something else than a
 * decision, the call is denied.
 *
 * @throws {InvalidArgumentError} none of the three, or an invalid rule
 */
export function toPolicy(source: PermissionSource): PermissionPolicy {
  if (isRuleList(source)) return permissionRules(source);
  if (typeof source === "function") return failClosed({ decide: source });
  if (isPolicy(source)) return failClosed(source);
  throw new InvalidArgumentError("permissions", "must be a list of rules, a policy with decide(request), or a function of the request.");
}

interface UncheckedPolicy {
  decide: PermissionFunction;
  hides?: PermissionPolicy["hides"];
  explain?: PermissionPolicy["explain"];
}

function failClosed(policy: UncheckedPolicy): PermissionPolicy {
  return {
    decide: (request) => {
      try {
        const answer = policy.decide(request);
        return isThenable(answer) ? Promise.resolve(answer).then(checkedDecision, deniedByFailure) : checkedDecision(answer);
      } catch (error) {
        return deniedByFailure(error);
      }
    },
    hides: (tool) => {
      try {
        return policy.hides?.(tool) === true;
      } catch {
        // It is shown, and each call is judged.
        return false;
      }
    },
    ...(policy.explain !== undefined && { explain: policy.explain.bind(policy) }),
  };
}

function checkedDecision(answer: unknown): PermissionDecision {
  if (isAction(answer)) return { action: answer };
  // Only the action decides anything; the other fields are for people.
  if (typeof answer === "object" && answer !== null && "action" in answer && isAction(answer.action)) return answer as PermissionDecision;
  return { action: "deny", reason: 'The permission policy gave no decision: it must return "allow", "deny", "ask", or an object such as { action: "allow" }.' };
}

function deniedByFailure(error: unknown): PermissionDecision {
  return { action: "deny", reason: `The permission policy failed: ${errorMessage(error)}` };
}

function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && "then" in answer;
}

function isAction(value: unknown): value is PermissionAction {
  return value === "allow" || value === "deny" || value === "ask";
}

function isPolicy(source: unknown): source is PermissionPolicy {
  return typeof source === "object" && source !== null && "decide" in source && typeof source.decide === "function";
}

/** `Array.isArray` does not narrow a read-only list. */
function isRuleList(source: PermissionSource): source is PermissionRuleList {
  return Array.isArray(source);
}
