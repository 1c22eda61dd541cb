import { InvalidArgumentError } from "../../errors.ts";
import type { Budget } from "../../message/budget.ts";
import { fields, milliseconds, positiveInteger, type OptionCheck } from "../../util/check-options.ts";

const aboveZero: OptionCheck = (value, argument) => {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) throw new InvalidArgumentError(argument, "expected a number above 0.");
};

export const checkBudget: OptionCheck = fields<Budget>({ tokens: positiveInteger, cost: aboveZero, durationMs: milliseconds });
