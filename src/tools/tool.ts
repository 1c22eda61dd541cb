import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Schema, Tool as SDKTool, ToolResultPart } from "ai";
import type { PermissionAction } from "../message/permission-rule.ts";
import type { ModelOutput } from "../message/tool-state.ts";
import type { JSONSchema } from "./json-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { PermissionContext, ToolContext } from "./tool-context.ts";

/**
 * A tool of ours; make one with `defineTool`.
 *
 * All functions are methods: with function-typed properties a record of tools with different inputs could not be typed.
 */
export interface Tool<Input = unknown, Result = unknown, Example = unknown> {
  /** What the model calls it. In a record of tools the key is the name. */
  name?: string | undefined;
  /** What people are shown while it runs, unless the result has a title. Default: the name. */
  title?: string | undefined;
  /** Written for the model: when to use the tool, what the fields mean, what comes back. */
  description: string;
  input: ToolInput<Input>;
  /**
   * Does the work. What it throws becomes an error result that the model reads.
   *
   * @returns a string, any JSON value, or `{ title?, output, metadata?, attachments?, state? }`; or an async iterable of
   * these: its last value is the result; each one is shown as progress, its text as `metadata.output`. A `state` is kept
   * for later calls of the tool, which get it as `context.state`.
   */
  execute(input: Input, context: ToolContext): ToolReturn<Result>;
  /** It changes nothing, so that it may run beside other calls. Default false. */
  readOnly?: boolean | undefined;
  /** Running it twice is the same as once, so that it may run again after a crash. Default false. */
  idempotent?: boolean | undefined;
  /** Milliseconds after which the call ends as an error result. Default: the agent's `timeouts.toolMs`. */
  timeoutMs?: number | undefined;
  /** Milliseconds without progress after which it ends likewise: `progress()` and yielded values count. Default: none. */
  idleTimeoutMs?: number | undefined;
  /**
   * How often it runs again when it throws, within the same `timeoutMs`. Only a tool that is `readOnly` or `idempotent` may
   * have more than 0: nobody knows what one that failed has done. Default for these: 1.
   */
  retry?: number | undefined;
  /** What leave this call needs. Default: the tool's name, pattern `*`. What it throws becomes an error result. */
  permission?(input: Input, context: PermissionContext): ToolPermission | PromiseLike<ToolPermission>;
  /**
   * What this call must have to itself while it runs, e.g. the path that it writes: calls that name the same run one after
   * another, in all sessions of the agent. Taken in sorted order, after leave was given. While the tool waits for a person
   * (`context.ask`) others may take them.
   */
  locks?(input: Input, context: PermissionContext): readonly string[] | PromiseLike<readonly string[]>;
  /** What happens when no permission rule matches. Default: allow, as the host registered the tool. */
  defaultAction?: PermissionAction | undefined;
  /** What the model is shown as the result, when that is not the output itself. Runs once per call. */
  toModelOutput?(call: { toolCallId: string; input: Input; output: Result }): SDKModelOutput | PromiseLike<SDKModelOutput>;
  /** Most characters of output that the model is shown: of more it sees the beginning and the end. Default: the agent's `toolOutput`. */
  maxOutputChars?: number | undefined;
  /** A session was removed: what the tool holds for it can go. Waited for at most `timeouts.hookMs`; a failure is logged. */
  onSessionRemoved?(session: { sessionID: string }): unknown;
  /** The agent was closed: whatever still runs for the tool is to end. Waited for and logged likewise. */
  onClose?(): unknown;
  /** Inputs that show the model how to call it. */
  examples?: readonly Example[] | undefined;
  /** Asks the provider to hold the model to the schema. Not every provider can, nor every schema. */
  strict?: boolean | undefined;
  /** Sent to the provider with the definition, by provider name. */
  providerOptions?: SharedV4ProviderOptions | undefined;
}

/** How a tool describes its input: a Standard Schema (zod 4, …), a JSON Schema, or a schema of the AI SDK, also a lazy one. */
export type ToolInput<Input> = StandardSchema<unknown, Input> | JSONSchema | Schema<Input> | (() => Schema<Input>);

export type ToolReturn<Result> = AsyncIterable<Result> | PromiseLike<Result> | Result;

/** The leave that a call needs. */
export interface ToolPermission {
  /** Name that rules are written for. Default: the tool's name. */
  permission?: string | undefined;
  /** What is touched: paths, commands, addresses. Each is judged, and the most restrictive answer wins. Default `["*"]`. */
  patterns?: readonly string[] | undefined;
  /**
   * Those of the patterns of which a part is only known when the call runs, such as `cat .en?`. What allows one is asked about
   * where a rule might deny what it comes to.
   */
  uncertain?: readonly string[] | undefined;
  /** The rules that "always" saves when a person is asked, with wildcards, e.g. `git push *`. Default: exactly the patterns. */
  always?: readonly string[] | undefined;
  /** What a person is asked. Default: the tool's title and the patterns. */
  title?: string | undefined;
  /** What it would change, for the person who is asked. */
  impact?: string | undefined;
  /** The change itself, for the person who is asked. */
  diff?: string | undefined;
  /**
   * What of the call could not be understood. Whatever rules and saved answers say, such a call is at best asked about, with
   * this as the reason.
   */
  unaccounted?: string | undefined;
  /** Further leave that the call needs. All are judged, and the most restrictive answer wins. */
  also?: readonly FurtherPermission[] | undefined;
}

/** Leave that a call needs besides its own, e.g. to leave a directory. */
export interface FurtherPermission {
  /** Name that rules are written for. */
  permission: string;
  /** What is touched. Each is judged. */
  patterns: readonly string[];
  /** The rules that "always" saves. Default: exactly the patterns. */
  always?: readonly string[] | undefined;
  /** What happens when no rule matches. Default: ask. */
  defaultAction?: PermissionAction | undefined;
  /** Only a rule that names this very permission allows it: one for `*` does not, and a person is asked. Default false. */
  byNameOnly?: boolean | undefined;
}

/** What `toModelOutput` may return: the AI SDK's form, or ours. */
export type SDKModelOutput = ToolResultPart["output"] | ModelOutput;

/** Any tool that can be registered: one of ours, or of the AI SDK (`tool()`, `dynamicTool()`, a provider's). */
export type AnyTool = Tool | SDKTool;
