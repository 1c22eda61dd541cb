import type { JSONObject } from "../message/json.ts";
import type { PermissionAction, PermissionRule } from "../message/permission-rule.ts";

/**
 * Decides whether a tool call may run. `permissionRules` is the usual one; write your own for anything that rules cannot
 * say. A policy that throws, or answers with something else than a decision, denies.
 */
export interface PermissionPolicy {
  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
  /** Whether a tool is denied whatever it is called with, so that the model need not see it. */
  hides?(tool: string): boolean;
  /** Why: one entry for each pattern of the request. For people. */
  explain?(request: PermissionRequest): readonly PatternDecision[];
}

/** A call that wants leave. */
export interface PermissionRequest {
  sessionID: string;
  /** Root of the session's tree. */
  rootID: string;
  /** Name of the agent that made the call. */
  agent: string;
  /** The tool's name. */
  tool: string;
  /** Name of the permission: the tool's name unless the tool says otherwise. */
  permission: string;
  /** What is touched: each is judged by itself. `["*"]` when the tool does not say. */
  patterns: readonly string[];
  /** Those of the patterns of which a part is only known when the call runs, such as `cat .en?`. */
  uncertain?: readonly string[] | undefined;
  /** The exact input that the decision is for. */
  input: JSONObject;
  messageID: string;
  callID: string;
  /** The tool's own answer where no rule matches. Default: allow. */
  defaultAction?: PermissionAction | undefined;
}

export interface PermissionDecision {
  action: PermissionAction;
  /** The rule that decided. Absent when none matched. */
  rule?: PermissionRule | undefined;
  /** In words; the model reads it when the call is denied, a person when asked. */
  reason?: string | undefined;
  /** Of an ask: what was always allowed does not answer it, and "always" saves nothing. Default false. */
  once?: boolean | undefined;
}

/** The decision about one pattern of a request. */
export interface PatternDecision extends PermissionDecision {
  pattern: string;
}
