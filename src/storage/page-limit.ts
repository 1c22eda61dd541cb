import { InvalidArgumentError } from "../errors.ts";

/**
 * The size of a page: what was asked for, or the default.
 *
 * @throws {InvalidArgumentError} `limit` is not a whole number above 0
 */
export function pageLimit(limit: number | undefined, defaultLimit: number, argument: string): number {
  if (limit === undefined) return defaultLimit;
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError(argument, `must be a whole number above 0, not ${limit}.`);
  return limit;
}
