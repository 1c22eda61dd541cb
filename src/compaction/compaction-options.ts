import { InvalidArgumentError } from "../errors.ts";
import { callable, fields, flag, positiveInteger, text, type OptionCheck } from "../util/check-options.ts";
import type { CompactionPolicy, CompactionPolicyOptions } from "./compaction-policy.ts";

/** When old tool outputs are cleared: before a summary is needed, after each turn, or never. */
export type PruneMode = "overflow" | "turn-end" | false;

/** How a session keeps its requests within the model's window. The session adds `model`, the one that summarises. */
export interface CompactionOptions extends CompactionPolicyOptions {
  /** Compact when the next request would be too large, or was refused as too large. Default true. */
  auto?: boolean | undefined;
  /** Default `"overflow"`. */
  prune?: PruneMode | undefined;
  /** The text that asks for a summary, in place of the built-in one. */
  prompt?: string | undefined;
  /** Functions in place of those of the built-in policy; the others stay. One that throws or answers nonsense is not obeyed, and logged. */
  policy?: Partial<CompactionPolicy> | undefined;
}

const pruneModes: readonly unknown[] = ["overflow", "turn-end", false] satisfies PruneMode[];

const pruneMode: OptionCheck = (value, argument) => {
  if (!pruneModes.includes(value)) throw new InvalidArgumentError(argument, 'expected "overflow", "turn-end" or false.');
};

const wholeNumber: OptionCheck = (value, argument) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new InvalidArgumentError(argument, "expected a whole number of at least 0.");
};

const checks = {
  auto: flag,
  reserve: wholeNumber,
  prune: pruneMode,
  tail: fields<NonNullable<CompactionOptions["tail"]>>({ turns: wholeNumber, tokens: positiveInteger }),
  prompt: text,
  policy: fields<CompactionPolicy>({ usable: callable, isOverflow: callable, choosePrune: callable, selectTail: callable }),
} satisfies Record<keyof CompactionOptions, OptionCheck>;

/**
 * A check of compaction options.
 *
 * @param more checks of the options that another layer adds
 */
export function checkCompaction(more: Record<string, OptionCheck> = {}): OptionCheck {
  return fields<Record<string, unknown>>({ ...checks, ...more });
}
