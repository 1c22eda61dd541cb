import { InvalidArgumentError } from "../errors.ts";
import type { ModelRef } from "../message/model-ref.ts";
import { contextTokens, type Tokens } from "../message/tokens.ts";
import { fields, list, positiveInteger, type OptionCheck } from "../util/check-options.ts";
import type { Logger } from "../util/logger.ts";

/** Prices per million tokens, in any one currency. */
export interface TokenPrices {
  input: number;
  output: number;
  /** Default: `input`. */
  cacheRead?: number | undefined;
  /** Default: `input`. */
  cacheWrite?: number | undefined;
  /** Default: `output`. */
  reasoning?: number | undefined;
}

/** The prices of calls whose context is larger than `above`. They stand for themselves: nothing is taken from the base prices. */
export interface PriceTier extends TokenPrices {
  /** Context size in tokens: what was sent, cached or not. The tier holds for sizes above it, not for this size itself. */
  above: number;
}

/**
 * Prices of a model. Some providers charge a call with a long context at another rate, for all of its tokens:
 *
 * @example
 * { input: 1.25, output: 10, cacheRead: 0.125, tiers: [{ above: 200_000, input: 2.5, output: 15, cacheRead: 0.25 }] }
 */
export interface ModelPrices extends TokenPrices {
  /** In any order: of those that a call's context exceeds, the highest counts. */
  tiers?: readonly PriceTier[] | undefined;
}

/** Prices for every model alike, or per model. A model without prices costs 0. */
export type Prices = ModelPrices | ((model: ModelRef) => ModelPrices | undefined);

const price: OptionCheck = (value, argument) => {
  if (typeof value !== "number" || !(value >= 0) || !Number.isFinite(value)) throw new InvalidArgumentError(argument, "expected a price per million tokens, 0 or more.");
};

const tokenPrices = { input: price, output: price, cacheRead: price, cacheWrite: price, reasoning: price };

const priceTier = fields<PriceTier>({ ...tokenPrices, above: positiveInteger }, ["above", "input", "output"]);

const priceTiers: OptionCheck = (value, argument) => {
  list(value, argument);
  // list has checked that it is an array.
  for (const [index, tier] of (value as unknown[]).entries()) priceTier(tier, `${argument}[${index}]`);
};

/** Without the two, every cost would be 0 and look like one. */
const modelPrices = fields<ModelPrices>({ ...tokenPrices, tiers: priceTiers }, ["input", "output"]);

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

/** What a model call cost. Never negative and always finite: tokens are, and prices are checked when the agent is made. */
export function costOf(tokens: Tokens, prices: Prices | undefined, model: ModelRef): number {
  const base = typeof prices === "function" ? prices(model) : prices;
  if (base === undefined) return 0;
  const rate = ratesFor(base, contextTokens(tokens));
  const cost =
    tokens.input * rate.input +
    tokens.output * rate.output +
    tokens.reasoning * (rate.reasoning ?? rate.output) +
    tokens.cache.read * (rate.cacheRead ?? rate.input) +
    tokens.cache.write * (rate.cacheWrite ?? rate.input);
  // Bounded, so that the sums of a session stay finite.
  return Number.isFinite(cost) ? Math.min(Math.max(0, cost) / million, Number.MAX_SAFE_INTEGER) : 0;
}

function ratesFor(prices: ModelPrices, context: number): TokenPrices {
  let rates: TokenPrices = prices;
  let reached = 0;
  for (const tier of prices.tiers ?? []) {
    if (context <= tier.above || tier.above < reached) continue;
    rates = tier;
    reached = tier.above;
  }
  return rates;
}
