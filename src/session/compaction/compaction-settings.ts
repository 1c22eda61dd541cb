import type { PruneMode } from "../../compaction/compaction-options.ts";
import { compactionPolicy, type CompactionPolicy } from "../../compaction/compaction-policy.ts";
import { checkContextLimits, type ContextLimits } from "../../compaction/context-budget.ts";
import type { ModelRef } from "../../message/model-ref.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import type { AgentContext } from "../agent-context.ts";
import { guardPolicy } from "./guard-policy.ts";
import type { ContextLimitsOption } from "./compaction-options.ts";

/** The options, completed. */
export interface CompactionSettings {
  auto: boolean;
  prune: PruneMode;
  prompt: string | undefined;
  model: LanguageModel | undefined;
  policy: CompactionPolicy;
  limitsOf: ((model: ModelRef) => ContextLimits | undefined) | undefined;
}

export function compactionSettings({ compaction: options, contextLimits: limits, logger }: AgentContext): CompactionSettings {
  const usual = compactionPolicy({ reserve: options.reserve, tail: options.tail });
  return {
    auto: options.auto ?? true,
    prune: options.prune ?? "overflow",
    prompt: options.prompt,
    model: options.model,
    policy: options.policy === undefined ? usual : guardPolicy(options.policy, usual, logger),
    limitsOf: limits && guardLimits(limits, logger),
  };
}

/** The host's function, made harmless: a turn must not end because a catalogue has a bad entry. */
function guardLimits(limits: ContextLimitsOption, logger: AgentContext["logger"]): (model: ModelRef) => ContextLimits | undefined {
  if (typeof limits !== "function") return () => limits;
  return (model) => {
    try {
      const answer = limits(model);
      if (answer !== undefined) checkContextLimits(answer, "contextLimits()");
      return answer;
    } catch (error) {
      logger?.({ level: "warn", message: "The function of contextLimits failed: the model's limits count as unknown.", error, ...model });
      return undefined;
    }
  };
}
