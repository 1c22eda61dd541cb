import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { JSONObject } from "../message/json.ts";
import type { PermissionPolicy } from "../permission/permission-policy.ts";
import type { CompiledTool } from "../tools/compiled-tool.ts";
import type { AbortSource } from "../util/abort-relay.ts";
import type { InputHooks } from "./input-hooks.ts";
import type { StepContext } from "./step-context.ts";

/** Everything that running the calls of one step needs. */
export interface ToolEnvironment extends StepContext {
  /** The tools that were offered to the model in this step, sorted by name. */
  tools: readonly CompiledTool[];
  /** Absent when no tool has any. */
  hooks: InputHooks | undefined;
  policy: PermissionPolicy;
  /** The turn's signal. */
  signal: AbortSource;
  /** Default limit of one call. */
  toolMs: number;
  /** How long an aborted tool may still take. */
  graceMs: number;
  /** How many calls run at once. */
  concurrency: number;
  sessionID: string;
  rootID: string;
  directory: string | undefined;
  metadata: JSONObject;
  turnID: string;
  agent: string;
  /** The messages that the model answered. */
  messages: LanguageModelV4Prompt;
}
