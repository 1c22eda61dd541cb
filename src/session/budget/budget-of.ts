import type { UserMessage } from "../../message/message.ts";
import type { AgentContext } from "../agent-context.ts";
import { TurnBudget } from "./turn-budget.ts";

/** The budget of a prompt's turn: the agent's, of which the prompt replaces what it gives. */
export function turnBudget({ budget: own, clock }: Pick<AgentContext, "budget" | "clock">, { budget }: UserMessage): TurnBudget | undefined {
  const tokens = budget?.tokens ?? own?.tokens;
  const cost = budget?.cost ?? own?.cost;
  const durationMs = budget?.durationMs ?? own?.durationMs;
  return tokens === undefined && cost === undefined && durationMs === undefined ? undefined : new TurnBudget({ tokens, cost, durationMs }, clock);
}
