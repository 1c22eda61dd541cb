import { checkLimitsOption, checkSessionCompaction, type ContextLimitsOption, type SessionCompactionOptions } from "../session/compaction/compaction-options.ts";
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { InvalidArgumentError } from "../errors.ts";
import type { Budget } from "../message/budget.ts";
import type { IDSource } from "../message/ids.ts";
import type { ModelProfile } from "../message/model-profile.ts";
import { checkProfile } from "../message/check-profile.ts";
import { checkPrices, type Prices } from "../model/cost.ts";
import type { LanguageModel } from "../model/language-model.ts";
import { assertLanguageModel, isBareModel } from "../model/resolve-model.ts";
import type { PermissionSource } from "../permission/to-policy.ts";
import type { Instructions } from "../session/agent-context.ts";
import { checkAsks, type AskOptions } from "../session/asks/ask-options.ts";
import { checkBudget } from "../session/budget/check-budget.ts";
import { checkToolOutput, type ToolOutputOptions } from "../session/outputs/tool-output-options.ts";
import type { Timeouts } from "../session/defaults.ts";
import type { ResolveFile } from "../session/prompt/resolve-file.ts";
import { checkRetry, type RetryOptions } from "../session/retry/retry-options.ts";
import { checkProviderOptions, checkSettings, checkTimeouts, checkTools } from "../session/step/option-checks.ts";
import type { CallSettings } from "../session/step/process-input.ts";
import type { Storage } from "../storage/storage.ts";
import type { ToolRecord, ToolRegistry } from "../tools/tool-registry.ts";
import { callable, checkOptions, fields, flag, implementing, list, milliseconds, positiveInteger, text, type OptionCheck } from "../util/check-options.ts";
import { checkClock, type Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";

/** What an agent is. Only `model` is required. */
export interface AgentOptions {
  /** Any AI SDK language model, or a model id string. */
  model: LanguageModel;
  /** Tried in order where the model does not answer for a reason that another may cure: quota, overload, rate limit, key, network, unknown model. The one that answers stays the turn's. */
  fallbackModels?: readonly LanguageModel[] | undefined;
  /** Name of the agent, stored with its messages. Default `default`. */
  name?: string | undefined;
  /** What the model is told first: a text, several (joined by blank lines), or a function that is called once per session. */
  instructions?: Instructions | undefined;
  /** Tools by name (ours or the AI SDK's), or a registry that may change while sessions run. */
  tools?: ToolRecord | ToolRegistry | undefined;
  /** Ordered rules (the last match wins), a policy, or a function. Default: every registered tool may run. */
  permissions?: PermissionSource | undefined;
  /** Where sessions live. Default: in memory. */
  storage?: Storage | undefined;
  /** Settings of each model call. */
  settings?: CallSettings | undefined;
  /** Options for the provider, by its name, as in the AI SDK. */
  providerOptions?: SharedV4ProviderOptions | undefined;
  /** Most model steps of a turn. On the last one tools are withheld, and the model is asked to sum up. Default 100. */
  maxSteps?: number | undefined;
  /** What a turn may use (also an option of a prompt). On the last call that it covers tools are withheld. Default: no limit besides `maxSteps`. */
  budget?: Budget | undefined;
  /** How a model call is made again that failed for a passing reason, or said nothing. Default: 5 attempts, waits from 2 s to 30 s. */
  retry?: RetryOptions | undefined;
  /** Most prompts of this process that wait in one session behind the one that runs; one more is refused with `QueueFullError`. Default 1,000. */
  maxQueued?: number | undefined;
  /** Limits in milliseconds. Defaults: `firstChunkMs` and `idleMs` 60,000, `modelMs` 120,000, `toolMs` 60,000, `storageMs` and `hookMs` 30,000, `abortGraceMs` 250. */
  timeouts?: { [Limit in keyof Timeouts]?: number | undefined } | undefined;
  /** `ttlMs` is how long a lease outlives its owner (default 30,000), `pollMs` how often a session that another process runs is looked at (default 250). */
  leases?: { ttlMs?: number | undefined; pollMs?: number | undefined } | undefined;
  /** Most turns at once over all sessions (default 1,000), and most tool calls at once in a step (default 8). */
  concurrency?: { turns?: number | undefined; tools?: number | undefined } | undefined;
  /** How much of a tool's output the model is shown: beginning and end of what is larger. Default: 2,000 lines and 50 kB. */
  toolOutput?: ToolOutputOptions | undefined;
  /** What the model takes, in tokens; a function for several models, e.g. of a catalogue. Unknown: only a provider's refusal tells that a request is too large. */
  contextLimits?: ContextLimitsOption | undefined;
  /** How the history is kept within the model's window. Default: old tool outputs are cleared, then all but the newest turns is summarised. */
  compaction?: SessionCompactionOptions | undefined;
  /** Compare each request with the one before, and report by `request.changed` where it begins otherwise. For development: costs time with the length of the history. Default false. */
  checkPrefix?: boolean | undefined;
  /** How calls are handled that need the leave of a person. Default: the turn waits for the reply, as long as it takes. */
  asks?: AskOptions | undefined;
  /** Prices per million tokens, for `cost`; `input` and `output` are required. Without prices every cost is 0. */
  prices?: Prices | undefined;
  /** Wire rules of the model. Default: chosen by `profileFor(model)`. */
  profile?: ModelProfile | undefined;
  /** Reads the `file:` parts of prompts, e.g. `workspaceFiles({ root })`. Without it such a prompt is refused. */
  resolveFile?: ResolveFile | undefined;
  /** Where time comes from. Default: the machine. */
  clock?: Clock | undefined;
  /** Makes ids. Default: random ones. */
  ids?: IDSource | undefined;
  /** Receives what the engine has to say besides events. Default: nobody. */
  logger?: Logger | undefined;
  /** Whether a session that is opened resumes by itself what a crash cut short. Default `manual`: `session.resume()` does. */
  resume?: "manual" | "auto" | undefined;
}

const instructions: OptionCheck = (value, argument) => {
  const isText = typeof value === "string" || typeof value === "function" || (Array.isArray(value) && value.every((section) => typeof section === "string"));
  if (!isText) throw new InvalidArgumentError(argument, "expected a text, a list of texts, or a function that returns one.");
};

const modelList: OptionCheck = (value, argument) => {
  list(value, argument);
  // list has checked that it is one; Array.from visits the holes of a sparse list, too.
  for (const [index, model] of Array.from(value as unknown[]).entries()) assertLanguageModel(model, `${argument}[${index}]`);
};

/**
 * Checks the options of an agent.
 *
 * @throws {InvalidArgumentError} an unknown option, a missing model, or a value of the wrong type
 */
export function checkAgentOptions(options: AgentOptions): void {
  if (isBareModel(options)) throw new InvalidArgumentError("createAgent.options", "this is a model, not options. Did you mean createAgent({ model })?");
  const checks: { [Name in keyof Required<AgentOptions>]: OptionCheck } = {
    model: assertLanguageModel,
    fallbackModels: modelList,
    name: text,
    instructions,
    tools: checkTools,
    permissions: () => undefined, // toPolicy checks it
    storage: implementing("a Storage such as memoryStorage()", "commit", "getSession", "listSessions", "listMessages", "inbox", "listAsks", "changes", "getArtifact", "acquireLease", "releaseLease", "close"),
    settings: checkSettings,
    providerOptions: checkProviderOptions,
    maxSteps: positiveInteger,
    budget: checkBudget,
    retry: checkRetry,
    maxQueued: positiveInteger,
    timeouts: checkTimeouts,
    leases: fields<{ ttlMs?: number; pollMs?: number }>({ ttlMs: milliseconds, pollMs: milliseconds }),
    concurrency: fields<{ turns?: number; tools?: number }>({ turns: positiveInteger, tools: positiveInteger }),
    toolOutput: checkToolOutput,
    contextLimits: checkLimitsOption,
    compaction: checkSessionCompaction,
    checkPrefix: flag,
    asks: checkAsks,
    prices: checkPrices,
    profile: checkProfile,
    resolveFile: callable,
    clock: checkClock,
    ids: callable,
    logger: callable,
    resume: (value, argument) => {
      if (value !== "manual" && value !== "auto") throw new InvalidArgumentError(argument, 'expected "manual" or "auto".');
    },
  };
  checkOptions("createAgent.options", options, checks, ["model"]);
}
