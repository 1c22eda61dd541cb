import type { Budget } from "../../message/budget.ts";
import type { UserMessage } from "../../message/message.ts";
import type { AgentContext } from "../agent-context.ts";
import { TurnBudget } from "./turn-budget.ts";

/** The budget of a prompt's turn: the agent's, of which the prompt replaces what it gives. Nothing where neither gives a limit. */
export function turnBudget({ budget: own = {}, clock }: Pick<AgentContext, "budget" | "clock">, { budget = {} }: UserMessage): TurnBudget | undefined {
  const limits: Budget = { tokens: budget.tokens ?? own.tokens, cost: budget.cost ?? own.cost, durationMs: budget.durationMs ?? own.durationMs };
  return Object.values(limits).every((limit) => limit === undefined) ? undefined : new TurnBudget(limits, clock);
}
