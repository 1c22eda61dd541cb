import { ThroughlineError } from "../../errors.ts";
import type { ErrorCode } from "../../errors.ts";

/** @throws {Error} `condition` is not true */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** The value, which must be there. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing.`);
  return value;
}

/** Deep equality of plain data. A key that is `undefined` counts as absent, as it is after a trip through JSON. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (isEqual(actual, expected)) return;
  throw new Error(`${what} differs.\n  expected: ${JSON.stringify(expected)}\n  actual:   ${JSON.stringify(actual)}`);
}

/** The promise rejects with the library's error of that code, which is returned. */
export async function assertRejects(promise: Promise<unknown>, code: ErrorCode, what: string): Promise<ThroughlineError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome)) throw new Error(`${what} was accepted, and must be refused with the code "${code}".`);
  const { error } = outcome;
  if (ThroughlineError.isInstance(error) && error.code === code) return error;
  throw new Error(`${what} must be refused with the code "${code}", not with: ${String(error)}`, { cause: error });
}

/** The promise rejects with a conflict that carries this row. */
export async function assertConflict(promise: Promise<unknown>, existing: unknown, what: string): Promise<void> {
  const error = await assertRejects(promise, "conflict", what);
  assertEqual("existing" in error ? error.existing : undefined, existing, `The existing row that is carried by the conflict (${what})`);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isEqual(a[key], b[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
