import type { JSONSchema7 } from "@ai-sdk/provider";
import type { JSONValue } from "../message/json.ts";
import { toJSONSafe } from "../util/json-safe.ts";
import type { InputProblem } from "./compiled-tool.ts";
import { expectedForm } from "./expected-form.ts";
import type { StandardIssue } from "./standard-schema.ts";
import { errorMessage } from "../util/error-message.ts";

/** Brings the issues of a Standard Schema, or of zod's own errors, into our form. */
export function fromIssues(issues: readonly StandardIssue[]): InputProblem[] {
  return issues.map(({ message, path = [] }) => ({ path: path.map(toSegment), message }));
}

/** Brings the error of an AI SDK schema's `validate` into our form; it wraps the issues once or twice, or has none. */
export function fromError(error: unknown): InputProblem[] {
  for (const candidate of [error, causeOf(error)]) {
    const issues: unknown = typeof candidate === "object" && candidate !== null && "issues" in candidate ? candidate.issues : candidate;
    if (isIssueList(issues)) return fromIssues(issues);
  }
  return [{ path: [], message: errorMessage(error) }];
}

/** Adds to each problem what was found at its place, and what the schema wants there. */
export function locateProblems(problems: readonly InputProblem[], input: unknown, schema: JSONSchema7): InputProblem[] {
  return problems.map(({ path, message }) => {
    const found = valueAt(input, path);
    return { path, message, ...(found !== undefined && { found }), expected: expectedForm(schema, path) };
  });
}

function toSegment(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function isIssueList(value: unknown): value is readonly StandardIssue[] {
  return Array.isArray(value) && value.length > 0 && value.every((issue: unknown) => typeof issue === "object" && issue !== null && "message" in issue);
}

function valueAt(input: unknown, path: readonly (string | number)[]): JSONValue | undefined {
  let current = input;
  for (const segment of path) {
    // Own properties only: the path may hold a name that the model made up.
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = Reflect.get(current, segment);
  }
  return current === undefined ? undefined : toJSONSafe(current);
}
