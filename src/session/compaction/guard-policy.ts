import { isUnanswered } from "../../compaction/compaction-message.ts";
import type { CompactionPolicy } from "../../compaction/compaction-policy.ts";
import type { PruneChoice } from "../../compaction/prune.ts";
import type { TailChoice } from "../../compaction/select-tail.ts";
import type { WithParts } from "../../message/message.ts";
import type { Logger } from "../../util/logger.ts";

/**
 * The built-in policy with the host's functions in it, made harmless: where it throws, or answers what would lose messages, the built-in one decides. A turn
 * must not end, and a prompt must not vanish, because a policy has a mistake.
 *
 * @param usual decides in place of a wrong answer
 */
export function guardPolicy(policy: Partial<CompactionPolicy>, usual: CompactionPolicy, logger: Logger | undefined): CompactionPolicy {
  function guard<Given extends unknown[], Answer>(name: keyof CompactionPolicy, ask: (...given: Given) => Answer, fallback: (...given: Given) => Answer, problemOf: (answer: Answer, given: Given) => string | undefined): (...given: Given) => Answer {
    return (...given) => {
      let problem: string | undefined;
      let error: unknown;
      try {
        const answer = ask(...given);
        problem = problemOf(answer, given);
        if (problem === undefined) return answer;
      } catch (thrown) {
        problem = "it threw";
        error = thrown;
      }
      logger?.({ level: "warn", message: `compaction.policy.${name}() cannot be used (${problem}): the built-in policy decides.`, error });
      return fallback(...given);
    };
  }
  const guarded: Partial<CompactionPolicy> = {};
  if (policy.usable !== undefined) guarded.usable = guard("usable", policy.usable.bind(policy), (limits) => usual.usable(limits), usableProblem);
  if (policy.isOverflow !== undefined) guarded.isOverflow = guard("isOverflow", policy.isOverflow.bind(policy), (measure, limits) => usual.isOverflow(measure, limits), overflowProblem);
  if (policy.choosePrune !== undefined) guarded.choosePrune = guard("choosePrune", policy.choosePrune.bind(policy), (window, context) => usual.choosePrune(window, context), (choice, [window]) => pruneProblem(choice, window));
  if (policy.selectTail !== undefined) guarded.selectTail = guard("selectTail", policy.selectTail.bind(policy), (window, context) => usual.selectTail(window, context), (choice, [window]) => tailProblem(choice, window));
  return { ...usual, ...guarded };
}

// What the host's function answers is as typed only if its author was right.

function usableProblem(answer: unknown): string | undefined {
  return answer === undefined || (typeof answer === "number" && answer > 0 && Number.isFinite(answer)) ? undefined : "expected a number of tokens, or undefined";
}

function overflowProblem(answer: unknown): string | undefined {
  return typeof answer === "boolean" ? undefined : "expected true or false";
}

function pruneProblem(choice: Partial<PruneChoice> | undefined | null, window: readonly WithParts[]): string | undefined {
  const { parts, frees } = choice ?? {};
  if (parts === undefined || !isList(parts) || !isAmount(frees)) return "expected { parts, frees }";
  if (parts.length === 0) return undefined;
  const calls = new Set<unknown>(window.flatMap((entry) => entry.parts.filter((part) => part.type === "tool" && part.state.status === "completed")));
  return parts.every((part) => calls.has(part)) ? undefined : "a part is no completed call of the window";
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && Number.isFinite(value);
}

function tailProblem(choice: Partial<TailChoice> | undefined | null, window: readonly WithParts[]): string | undefined {
  if (choice === undefined) return undefined;
  const { head, kept, tail, tailStartID } = choice ?? {};
  if (head === undefined || kept === undefined || tail === undefined || ![head, kept, tail].every(isList)) return "expected { head, kept, tail, tailStartID }";
  if (head.length === 0) return "there is nothing in the head";
  return divisionProblem({ head, kept, tail, tailStartID }, window);
}

/** Whether something would be lost. */
function divisionProblem({ head, kept, tail, tailStartID }: TailChoice, window: readonly WithParts[]): string | undefined {
  const isWhole = head.length + tail.length === window.length && window.every((entry, index) => (index < head.length ? head[index] : tail[index - head.length]) === entry);
  if (!isWhole) return "head and tail are not the window";
  if (tail[0]?.info.id !== tailStartID) return "tailStartID is not the tail's first message";
  const prompts = head.filter(isUnanswered).map(({ info }) => info.id);
  return prompts.every((id) => kept.includes(id)) ? keptProblem(kept, head) : "a prompt that is not answered yet is not kept";
}

function keptProblem(kept: readonly unknown[], head: readonly WithParts[]): string | undefined {
  const prompts = new Set<unknown>(head.flatMap(({ info }) => (info.role === "user" ? [info.id] : [])));
  return kept.every((id) => prompts.has(id)) ? undefined : "what is kept are not prompts of the head";
}
