import type { JSONSchema7, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JSONObject, JSONValue } from "../message/json.ts";
import type { PermissionAction } from "../message/permission-rule.ts";
import type { FurtherPermission } from "./tool.ts";
import type { PermissionContext, ToolContext } from "./tool-context.ts";

/** How a tool of the AI SDK hears of its input. */
export type InputHook = "onInputStart" | "onInputDelta" | "onInputAvailable";

/** Any tool, ours or the AI SDK's, brought into the one form that the engine works with. */
export interface CompiledTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  /** Draft-07, an object at its root, without `$schema`. */
  inputSchema: JSONSchema7;
  /** It takes plain text and no object: only some tools that a provider defines do. */
  textInput?: boolean | undefined;
  /** Checks an input, and applies the defaults and transforms of the schema. */
  parse(raw: unknown): ParseOutcome | Promise<ParseOutcome>;
  /** Absent only when the provider runs the tool itself. */
  execute?: ((input: unknown, context: ToolContext) => unknown) | undefined;
  toModelOutput?: ((call: { toolCallId: string; input: unknown; output: unknown }) => unknown) | undefined;
  /** It is the engine's own, and touches nothing: no policy is asked. */
  needsNoLeave?: true | undefined;
  /** It is the engine's own, and keeps to the limits of outputs by itself. */
  isOutputReader?: true | undefined;
  readOnly: boolean;
  idempotent: boolean;
  timeoutMs?: number | undefined;
  idleTimeoutMs?: number | undefined;
  /** How often it runs again when it throws. */
  retry?: number | undefined;
  /** The leave that a call needs; absent where that is the whole tool. It runs the tool's own code, which may throw or reject. */
  permission?: ((input: unknown, context: PermissionContext) => NeededPermission | Promise<NeededPermission>) | undefined;
  /** What a call needs to itself. It runs the tool's own code, which may throw or reject. */
  locks?: ((input: unknown, context: PermissionContext) => readonly string[] | Promise<readonly string[]>) | undefined;
  maxOutputChars?: number | undefined;
  defaultAction?: PermissionAction | undefined;
  /** Whether this call is to be asked about where no rule decides, by the tool's own judgement. It may throw or reject. */
  needsApproval?: ((input: unknown, call: { toolCallId: string; messages: ToolContext["messages"]; context: unknown }) => unknown) | undefined;
  /** Only of a tool of the AI SDK that has any. They may throw or reject. */
  inputHooks?: Readonly<Partial<Record<InputHook, (options: object) => unknown>>> | undefined;
  /** Set for a tool that the provider defines: it is sent by id, without description and schema. */
  provider?: { id: `${string}.${string}`; args: Record<string, unknown> } | undefined;
  strict?: boolean | undefined;
  providerOptions?: SharedV4ProviderOptions | undefined;
  inputExamples?: { input: JSONObject }[] | undefined;
}

/** The leave that a call needs, and what a person is told who is asked for it. */
export interface NeededPermission {
  permission: string;
  patterns: readonly string[];
  /** Those of the patterns that are only known in full when the call runs. */
  uncertain?: readonly string[] | undefined;
  always?: readonly string[] | undefined;
  title?: string | undefined;
  impact?: string | undefined;
  diff?: string | undefined;
  /** Whatever is decided, it is at best asked about. */
  unaccounted?: string | undefined;
  also?: readonly FurtherPermission[] | undefined;
}

export type ParseOutcome = { ok: true; value: unknown } | { ok: false; problems: InputProblem[] };

/** One thing that is wrong with an input. */
export interface InputProblem {
  /** Where: property names and list indexes, from the root. */
  path: (string | number)[];
  /** What, in a sentence. */
  message: string;
  /** The value that was found there; absent when there was none. */
  found?: JSONValue | undefined;
  /** What the schema wants there, in words; absent when it says nothing. */
  expected?: string | undefined;
}
