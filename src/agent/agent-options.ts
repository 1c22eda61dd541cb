import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { InvalidArgumentError } from "../errors.ts";
import type { IDSource } from "../message/ids.ts";
import type { ModelProfile } from "../message/model-profile.ts";
import { modelProfiles } from "../message/model-profiles.ts";
import type { Prices } from "../model/cost.ts";
import type { LanguageModel } from "../model/language-model.ts";
import { assertLanguageModel } from "../model/resolve-model.ts";
import type { PermissionSource } from "../permission/to-policy.ts";
import type { Instructions } from "../session/agent-context.ts";
import type { Timeouts } from "../session/defaults.ts";
import type { CallSettings } from "../session/process-input.ts";
import type { Storage } from "../storage/storage.ts";
import type { ToolRecord, ToolRegistry } from "../tools/tool-registry.ts";
import { callable, checkOptions, fields, finiteNumber, milliseconds, plainObject, positiveInteger, text, type OptionCheck } from "../util/check-options.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";

/** What an agent is. Only `model` is required. */
export interface AgentOptions {
  /** Any AI SDK language model, or a model id string. */
  model: LanguageModel;
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
  /** Limits in milliseconds. Defaults: `firstChunkMs` and `idleMs` 60,000, `modelMs` 120,000, `toolMs` 60,000, `storageMs` and `hookMs` 30,000, `abortGraceMs` 250. */
  timeouts?: { [Limit in keyof Timeouts]?: number | undefined } | undefined;
  /** `ttlMs` is how long a lease outlives its owner (default 30,000), `pollMs` how often a session that another process runs is looked at (default 250). */
  leases?: { ttlMs?: number | undefined; pollMs?: number | undefined } | undefined;
  /** Most turns at once over all sessions (default 1,000), and most tool calls at once in a step (default 8). */
  concurrency?: { turns?: number | undefined; tools?: number | undefined } | undefined;
  /** Prices per million tokens, for `cost`. Without them every cost is 0. */
  prices?: Prices | undefined;
  /** Wire rules of the model. Default: chosen by `profileFor(model)`. */
  profile?: ModelProfile | undefined;
  /** Where time comes from. Default: the machine. */
  clock?: Clock | undefined;
  /** Makes ids. Default: random ones. */
  ids?: IDSource | undefined;
  /** Receives what the engine has to say besides events. Default: nobody. */
  logger?: Logger | undefined;
  /** Whether a session that is opened resumes by itself what a crash cut short. Default `manual`: `session.resume()` does. */
  resume?: "manual" | "auto" | undefined;
}

const object = (what: string, ...methods: string[]): OptionCheck => {
  return (value, argument) => {
    plainObject(value, argument);
    // plainObject has checked that it is an object.
    const missing = methods.filter((method) => typeof (value as Record<string, unknown>)[method] !== "function");
    if (missing.length > 0) throw new InvalidArgumentError(argument, `expected ${what}; it has no ${missing.join("(), ")}().`);
  };
};

const instructions: OptionCheck = (value, argument) => {
  const isText = typeof value === "string" || typeof value === "function" || (Array.isArray(value) && value.every((section) => typeof section === "string"));
  if (!isText) throw new InvalidArgumentError(argument, "expected a text, a list of texts, or a function that returns one.");
};

const reasoningLevels = ["provider-default", "none", "minimal", "low", "medium", "high", "xhigh", "max"];

const settings = fields<CallSettings>({
  maxOutputTokens: positiveInteger,
  temperature: finiteNumber,
  topP: finiteNumber,
  topK: finiteNumber,
  presencePenalty: finiteNumber,
  frequencyPenalty: finiteNumber,
  stopSequences: (value, argument) => {
    if (!Array.isArray(value) || !value.every((sequence) => typeof sequence === "string")) throw new InvalidArgumentError(argument, "expected a list of texts.");
  },
  seed: finiteNumber,
  reasoning: (value, argument) => {
    if (!reasoningLevels.includes(String(value))) throw new InvalidArgumentError(argument, `expected one of ${reasoningLevels.join(", ")}.`);
  },
  headers: plainObject,
});

const pricesCheck: OptionCheck = (value, argument) => {
  if (typeof value === "function") return;
  plainObject(value, argument);
  // plainObject has checked that it is an object.
  for (const [name, price] of Object.entries(value as object)) {
    if (typeof price !== "number" || !(price >= 0) || !Number.isFinite(price)) throw new InvalidArgumentError(`${argument}.${name}`, "expected a price per million tokens, 0 or more.");
  }
};

/**
 * Checks the options of an agent.
 *
 * @throws {InvalidArgumentError} an unknown option, a missing model, or a value of the wrong type
 */
export function checkAgentOptions(options: AgentOptions): void {
  checkOptions("createAgent.options", options, {
    model: assertLanguageModel,
    name: text,
    instructions,
    tools: plainObject,
    permissions: () => undefined, // toPolicy checks it
    storage: object("a Storage such as memoryStorage()", "commit", "getSession", "listSessions", "listMessages", "inbox", "listAsks", "changes", "getArtifact", "acquireLease", "releaseLease", "close"),
    settings,
    providerOptions: (value, argument) => {
      plainObject(value, argument);
      // plainObject has checked that it is an object.
      for (const [provider, given] of Object.entries(value as object)) plainObject(given, `${argument}.${provider}`);
    },
    maxSteps: positiveInteger,
    timeouts: fields<Timeouts>({ firstChunkMs: milliseconds, idleMs: milliseconds, modelMs: milliseconds, toolMs: milliseconds, storageMs: milliseconds, hookMs: milliseconds, abortGraceMs: milliseconds }),
    leases: fields<{ ttlMs?: number; pollMs?: number }>({ ttlMs: milliseconds, pollMs: milliseconds }),
    concurrency: fields<{ turns?: number; tools?: number }>({ turns: positiveInteger, tools: positiveInteger }),
    prices: pricesCheck,
    profile: (value, argument) => {
      plainObject(value, argument);
      // plainObject has checked that it is an object.
      const missing = Object.keys(modelProfiles.default).filter((rule) => !(rule in (value as object)));
      if (missing.length > 0) throw new InvalidArgumentError(argument, `it lacks ${missing.join(", ")}. Spread one of modelProfiles, e.g. { ...modelProfiles.openaiCompatible, … }.`);
    },
    clock: object("a Clock", "now", "setTimeout", "clearTimeout"),
    ids: callable,
    logger: callable,
    resume: (value, argument) => {
      if (value !== "manual" && value !== "auto") throw new InvalidArgumentError(argument, 'expected "manual" or "auto".');
    },
  });
  assertLanguageModel(options.model, "createAgent.options.model");
}
