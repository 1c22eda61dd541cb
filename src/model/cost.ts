import { InvalidArgumentError } from "../errors.ts";
import type { ModelRef } from "../message/model-ref.ts";
import type { Tokens } from "../message/tokens.ts";
import { fields, type OptionCheck } from "../util/check-options.ts";
import type { Logger } from "../util/logger.ts";

/** Prices per million tokens, in any one currency. */
export interface ModelPrices {
  input: number;
  output: number;
  /** Default: `input`. */
  cacheRead?: number | undefined;
  /** Default: `input`. */
  cacheWrite?: number | undefined;
  /** Default: `output`. */
  reasoning?: number | undefined;
}

/** Prices for every model alike, or per model. A model without prices costs 0. */
export type Prices = ModelPrices | ((model: ModelRef) => ModelPrices | undefined);

const price: OptionCheck = (value, argument) => {
  if (typeof value !== "number" || !(value >= 0) || !Number.isFinite(value)) throw new InvalidArgumentError(argument, "expected a price per million tokens, 0 or more.");
};

/** Without the two, every cost would be 0 and look like one. */
const modelPrices = fields<ModelPrices>({ input: price, output: price, cacheRead: price, cacheWrite: price, reasoning: price }, ["input", "output"]);

/** Refuses prices that are incomplete or no prices. What a function answers is judged when it does. */
export const checkPrices: OptionCheck = (value, argument) => {
  if (typeof value !== "function") modelPrices(value, argument);
};

/** The host's prices, made harmless: an answer must not be lost because the function of its price fails. */
export function guardPrices(prices: Prices | undefined, logger: Logger | undefined): Prices | undefined {
  if (typeof prices !== "function") return prices;
  return (model) => {
    try {
      const answer = prices(model);
      if (answer !== undefined) modelPrices(answer, "prices()");
      return answer;
    } catch (error) {
      logger?.({ level: "warn", message: "The function of prices failed: the step counts as free.", error, ...model });
      return undefined;
    }
  };
}

const million = 1_000_000;

/** What a model call cost. Never negative: tokens never are, and prices are checked when the agent is made. */
export function costOf(tokens: Tokens, prices: Prices | undefined, model: ModelRef): number {
  const rate = typeof prices === "function" ? prices(model) : prices;
  if (rate === undefined) return 0;
  const cost =
    tokens.input * rate.input +
    tokens.output * rate.output +
    tokens.reasoning * (rate.reasoning ?? rate.output) +
    tokens.cache.read * (rate.cacheRead ?? rate.input) +
    tokens.cache.write * (rate.cacheWrite ?? rate.input);
  return Number.isFinite(cost) ? Math.max(0, cost) / million : 0;
}
