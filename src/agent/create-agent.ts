import { randomIDs } from "../message/ids.ts";
import { guardPrices } from "../model/cost.ts";
import { toPolicy } from "../permission/to-policy.ts";
import { defaultAsks, defaultLeases, defaultMaxQueued, defaultMaxSteps, defaultRetry, defaultTimeouts, defaultToolConcurrency, defaultTurnConcurrency } from "../session/defaults.ts";
import type { AgentContext } from "../session/agent-context.ts";
import { toolOutputSettings } from "../session/outputs/tool-output-options.ts";
import type { RetryOptions, RetrySettings } from "../session/retry/retry-options.ts";
import { memoryStorage } from "../storage/memory-storage.ts";
import { patientStorage } from "../storage/patient-storage.ts";
import { createToolRegistry, isRegistry, type ToolRegistry } from "../tools/tool-registry.ts";
import { systemClock } from "../util/clock.ts";
import { guardLogger, type Logger } from "../util/logger.ts";
import { Agent } from "./agent.ts";
import { checkAgentOptions, type AgentOptions } from "./agent-options.ts";

/**
 * Makes an agent. Nothing is loaded or called yet.
 *
 * @throws {InvalidArgumentError} no model, an unknown option, or a value of the wrong type
 * @throws {InvalidToolError | DuplicateToolError} a tool cannot be used
 * @example
 * const agent = createAgent({ model, instructions: "You are a release-notes bot.", tools: { readFile } })
 * const session = await agent.session()
 * const { text } = await session.prompt("Read README.md and explain it.")
 */
export function createAgent(options: AgentOptions): Agent {
  checkAgentOptions(options);
  const logger = guardLogger(options.logger);
  const clock = options.clock ?? systemClock();
  const ids = options.ids ?? randomIDs();
  const limits = limitsOf(options);
  return new Agent({
    name: options.name ?? "default",
    model: options.model,
    fallbackModels: [...(options.fallbackModels ?? [])],
    instructions: options.instructions,
    tools: toRegistry(options, logger),
    policy: toPolicy(options.permissions ?? []),
    storage: patientStorage(options.storage ?? memoryStorage({ clock }), { clock, storageMs: limits.timeouts.storageMs }),
    settings: { ...options.settings },
    providerOptions: options.providerOptions,
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    budget: options.budget && { ...options.budget },
    maxQueued: options.maxQueued ?? defaultMaxQueued,
    ...limits,
    toolOutput: toolOutputSettings(options.toolOutput),
    compaction: { ...options.compaction },
    contextLimits: options.contextLimits,
    checkPrefix: options.checkPrefix ?? false,
    prices: guardPrices(options.prices, logger),
    profile: options.profile,
    resolveFile: options.resolveFile,
    clock,
    ids,
    logger,
    resume: options.resume ?? "manual",
    owner: ids("own"),
  });
}

function toRegistry({ tools = {} }: AgentOptions, logger: Logger | undefined): ToolRegistry {
  return isRegistry(tools) ? tools : createToolRegistry(tools, { logger });
}

function retrySettings({ maxAttempts, baseDelayMs, maxDelayMs }: RetryOptions): RetrySettings {
  return { maxAttempts: maxAttempts ?? defaultRetry.maxAttempts, baseDelayMs: baseDelayMs ?? defaultRetry.baseDelayMs, maxDelayMs: maxDelayMs ?? defaultRetry.maxDelayMs };
}

/** Given limits over the defaults; an explicit `undefined` is not given. */
function limitsOf({ timeouts = {}, retry = {}, leases = {}, concurrency = {}, asks = {} }: AgentOptions): Pick<AgentContext, "timeouts" | "retry" | "leases" | "asks" | "toolConcurrency" | "turnConcurrency"> {
  const givenTimeouts = Object.fromEntries(Object.entries(timeouts).filter(([, limitMs]) => limitMs !== undefined));
  return {
    timeouts: { ...defaultTimeouts, ...givenTimeouts },
    retry: retrySettings(retry),
    leases: { ttlMs: leases.ttlMs ?? defaultLeases.ttlMs, pollMs: leases.pollMs ?? defaultLeases.pollMs },
    asks: { mode: asks.mode ?? defaultAsks.mode, timeoutMs: asks.timeoutMs ?? defaultAsks.timeoutMs, onReject: asks.onReject },
    toolConcurrency: concurrency.tools ?? defaultToolConcurrency,
    turnConcurrency: concurrency.turns ?? defaultTurnConcurrency,
  };
}
