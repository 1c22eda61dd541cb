import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { JSONObject } from "../../message/json.ts";
import type { WithParts } from "../../message/message.ts";
import type { PermissionPolicy } from "../../permission/permission-policy.ts";
import { permissionRules } from "../../permission/permission-rules.ts";
import type { CompiledTool } from "../../tools/compiled-tool.ts";
import type { TextLimits } from "../../tools/truncate-text.ts";
import type { AbortSource } from "../../util/abort-relay.ts";
import type { AskDesk } from "../asks/ask-desk.ts";
import type { FullOutputs } from "../outputs/full-outputs.ts";
import { defaultOutputLimits, defaultToolConcurrency, type Timeouts } from "../defaults.ts";
import type { KnownCall } from "../repetition/known-call.ts";
import type { InputHooks } from "../step/input-hooks.ts";
import { LockTable } from "./lock-table.ts";
import type { ProcessorOptions } from "../step/processor-options.ts";
import { agentName, type Step } from "../step/step.ts";
import type { StepContext } from "../step/step-context.ts";

/** Everything that running the calls of one step needs. */
export interface ToolEnvironment extends StepContext {
  /** The tools that were offered to the model in this step, sorted by name. */
  tools: readonly CompiledTool[];
  /** Absent when no tool has any. */
  hooks: InputHooks | undefined;
  policy: PermissionPolicy;
  /** Absent where nobody can be asked. */
  asks: AskDesk | undefined;
  /** The turn's signal, with one listener for all. */
  signal: AbortSource;
  /** The turn's signal as it is, for foreign code. */
  turnSignal: AbortSignal | undefined;
  /** What calls have to themselves. */
  locks: LockTable;
  /** Of outputs whose tool has no limit of its own. */
  outputLimits: TextLimits;
  /** Where whole outputs are kept; absent where they are not. */
  fullOutputs: FullOutputs | undefined;
  /** Whether a tool is kept from the model. */
  isHidden: ((tool: string) => boolean) | undefined;
  /** The visible history; of a step that runs again its own message, too. */
  history: readonly WithParts[];
  /** Default limit of one call. */
  toolMs: number;
  /** Limit of one answer of the host's own code, such as a schema's check. */
  hookMs: number;
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
  /** The turn's calls before; absent where repetition does not matter. */
  earlierCalls: readonly KnownCall[] | undefined;
  /** The messages that the model answered. */
  messages: LanguageModelV4Prompt;
}

/** What the runner of a step knows besides the step. */
interface Surroundings {
  signal: AbortSource;
  options: Pick<ProcessorOptions, "permissions" | "concurrency"> & { asks?: AskDesk | undefined; locks?: LockTable | undefined; toolOutput?: { limits: TextLimits; full: FullOutputs } | undefined };
  timeouts: Timeouts;
}

const noHistory: readonly WithParts[] = Object.freeze([]);

/** The surroundings of a step's calls. Field by field: a spread would give each step's a hidden class of its own on Node 20. */
export function toolEnvironmentOf({ input, entries, hooks, context }: Pick<Step, "input" | "entries" | "context"> & Partial<Pick<Step, "hooks">>, { options, timeouts, signal }: Surroundings): ToolEnvironment {
  return {
    journal: context.journal,
    clock: context.clock,
    ids: context.ids,
    log: context.log,
    tools: entries.map(({ tool }) => tool),
    hooks,
    signal,
    turnSignal: input.abortSignal,
    locks: options.locks ?? new LockTable(),
    outputLimits: options.toolOutput?.limits ?? defaultOutputLimits,
    fullOutputs: options.toolOutput?.full,
    isHidden: input.isHidden,
    history: input.history ?? noHistory,
    asks: options.asks,
    policy: input.permissions ?? options.permissions ?? permissionRules([]),
    toolMs: timeouts.toolMs,
    hookMs: timeouts.hookMs,
    graceMs: timeouts.abortGraceMs,
    concurrency: options.concurrency?.tools ?? defaultToolConcurrency,
    sessionID: input.session.id,
    rootID: input.session.rootID,
    directory: input.session.directory,
    metadata: input.session.metadata ?? {},
    turnID: input.user.traceID ?? input.user.id,
    agent: agentName(input),
    earlierCalls: input.earlierCalls,
    messages: input.messages,
  };
}
