import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Schema, Tool as SDKTool, ToolResultPart } from "ai";
import type { PermissionAction } from "../message/permission-rule.ts";
import type { ModelOutput } from "../message/tool-state.ts";
import type { JSONSchema } from "./json-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { ToolContext } from "./tool-context.ts";

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
   * @returns a string, any JSON value, or `{ title?, output, metadata?, attachments? }`; or an async iterable of these:
   * its last value is the result; each one is shown as progress, its text as `metadata.output`.
   */
  execute(input: Input, context: ToolContext): ToolReturn<Result>;
  /** It changes nothing, so that it may run beside other calls. Default false. */
  readOnly?: boolean | undefined;
  /** Running it twice is the same as once, so that it may run again after a crash. Default false. */
  idempotent?: boolean | undefined;
  /** Milliseconds after which the call ends as an error result. Default: the agent's `timeouts.toolMs`. */
  timeoutMs?: number | undefined;
  /** What leave this call needs. Default: the tool's name, pattern `*`. */
  permission?(input: Input): ToolPermission;
  /** What happens when no permission rule matches. Default: allow, as the host registered the tool. */
  defaultAction?: PermissionAction | undefined;
  /** What the model is shown as the result, when that is not the output itself. Runs once per call. */
  toModelOutput?(call: { toolCallId: string; input: Input; output: Result }): SDKModelOutput | PromiseLike<SDKModelOutput>;
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
  /** The rules that "always" saves when a person is asked, with wildcards, e.g. `git push *`. Default: exactly the patterns. */
  always?: readonly string[] | undefined;
  /** What a person is asked. Default: the tool's title and the patterns. */
  title?: string | undefined;
  /** What it would change, for the person who is asked. */
  impact?: string | undefined;
  /** The change itself, for the person who is asked. */
  diff?: string | undefined;
}

/** What `toModelOutput` may return: the AI SDK's form, or ours. */
export type SDKModelOutput = ToolResultPart["output"] | ModelOutput;

/** Any tool that can be registered: one of ours, or of the AI SDK (`tool()`, `dynamicTool()`, a provider's). */
export type AnyTool = Tool | SDKTool;
