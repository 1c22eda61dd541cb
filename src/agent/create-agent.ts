import PQueue from "p-queue";
import { randomIDs } from "../message/ids.ts";
import type { PermissionRule } from "../message/permission-rule.ts";
import { toPolicy, type PermissionSource } from "../permission/to-policy.ts";
import { defaultLeases, defaultMaxSteps, defaultTimeouts, defaultToolConcurrency, defaultTurnConcurrency, type Timeouts } from "../session/defaults.ts";
import { isRegistry } from "../session/tool-catalog.ts";
import { memoryStorage } from "../storage/memory-storage.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { systemClock } from "../util/clock.ts";
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
  const { tools = {}, permissions = [], logger } = options;
  const clock = options.clock ?? systemClock();
  const ids = options.ids ?? randomIDs();
  return new Agent({
    name: options.name ?? "default",
    model: options.model,
    instructions: options.instructions,
    tools: isRegistry(tools) ? tools : createToolRegistry(tools, { logger }),
    policy: toPolicy(permissions),
    rules: rulesOf(permissions),
    storage: options.storage ?? memoryStorage({ clock }),
    settings: { ...options.settings },
    providerOptions: options.providerOptions,
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    timeouts: withDefaults(options.timeouts),
    leases: { ttlMs: options.leases?.ttlMs ?? defaultLeases.ttlMs, pollMs: options.leases?.pollMs ?? defaultLeases.pollMs },
    toolConcurrency: options.concurrency?.tools ?? defaultToolConcurrency,
    turnSlots: new PQueue({ concurrency: options.concurrency?.turns ?? defaultTurnConcurrency }),
    prices: options.prices,
    profile: options.profile,
    clock,
    ids,
    logger,
    owner: ids("own"),
  });
}

/** Given limits over the defaults; an explicit `undefined` is not given. */
function withDefaults(given: Partial<Timeouts> = {}): Timeouts {
  return { ...defaultTimeouts, ...Object.fromEntries(Object.entries(given).filter(([, limitMs]) => limitMs !== undefined)) };
}

/** The rules behind a policy; none for a policy that is code. */
function rulesOf(source: PermissionSource): readonly PermissionRule[] {
  return Array.isArray(source) ? source : [];
}
