import { InvalidArgumentError } from "../errors.ts";
import { plainObject, type OptionCheck } from "./check-options.ts";

/** Data that JSON carries: what it would drop or change is refused, as nobody would notice until it is missing. */
export const jsonObject: OptionCheck = (value, argument) => {
  plainObject(value, argument);
  if (!isJSON(value, [])) throw new InvalidArgumentError(argument, "expected plain JSON: no functions, dates, bigints, undefined items or cycles.");
};

function isJSON(value: unknown, ancestors: readonly unknown[]): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || ancestors.includes(value)) return false;
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.every((item) => isJSON(item, path));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every((field) => field === undefined || isJSON(field, path));
}
