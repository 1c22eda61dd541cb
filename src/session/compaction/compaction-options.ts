import { checkCompaction, type CompactionOptions } from "../../compaction/compaction-options.ts";
import { checkContextLimits, type ContextLimits } from "../../compaction/context-budget.ts";
import type { ModelRef } from "../../message/model-ref.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import { assertLanguageModel } from "../../model/resolve-model.ts";
import type { OptionCheck } from "../../util/check-options.ts";

/** Limits of every model alike, or of each; `undefined` for a model that is not known. */
export type ContextLimitsOption = ContextLimits | ((model: ModelRef) => ContextLimits | undefined);

/** How a session keeps its requests within the model's window. */
export interface SessionCompactionOptions extends CompactionOptions {
  /** Writes the summaries, with its own defaults. Default: the model of the turn, whose provider has most of it in its cache. */
  model?: LanguageModel | undefined;
}

export const checkSessionCompaction: OptionCheck = checkCompaction({ model: assertLanguageModel });

/** Refuses limits that are none. What a function answers is judged when it does. */
export const checkLimitsOption: OptionCheck = (value, argument) => {
  if (typeof value !== "function") checkContextLimits(value, argument);
};
