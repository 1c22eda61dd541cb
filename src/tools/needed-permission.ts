import { InvalidToolError } from "../errors.ts";
import type { NeededPermission } from "./compiled-tool.ts";
import type { FurtherPermission } from "./tool.ts";

/** The tool does not say what it touches: who allows it always allows the whole tool. */
export function wholeTool(name: string): NeededPermission {
  return { permission: name, patterns: ["*"], always: ["*"] };
}

/**
 * What a call needs leave for, by the answer of the tool's own `permission()`. An answer of another form (a single text for
 * the list) must not pass for one that names no pattern: rules about what is touched would then not be consulted.
 *
 * @throws {InvalidToolError}
 */
export function neededPermission(name: string, answer: unknown): NeededPermission {
  if (typeof answer !== "object" || answer === null) throw notNeeded(name);
  const { uncertain, title, impact, diff, unaccounted, also }: { [Field in keyof NeededPermission]?: unknown } = answer;
  const { permission, patterns, always } = ownPermission(name, answer);
  const needed: NeededPermission = { permission, patterns, always, title: textOf(title), impact: textOf(impact), diff: textOf(diff) };
  if (uncertain !== undefined && !isListOfTexts(uncertain)) throw notNeeded(name);
  if (uncertain !== undefined) needed.uncertain = uncertain;
  // Whatever it is: what a tool could not account for must not be lost for its form.
  if (unaccounted !== undefined) needed.unaccounted = typeof unaccounted === "string" && unaccounted !== "" ? unaccounted : "The tool could not account for all of the call.";
  if (also !== undefined) needed.also = furtherPermissions(name, also);
  return needed;
}

function ownPermission(name: string, answer: { [Field in keyof NeededPermission]?: unknown }): Pick<NeededPermission, "permission" | "patterns" | "always"> {
  const whole = wholeTool(name);
  const { permission = name, patterns, always } = answer;
  const touched = patterns ?? whole.patterns;
  const saved = always ?? (patterns === undefined ? whole.always : undefined);
  if (typeof permission !== "string" || !isListOfTexts(touched) || !(saved === undefined || isListOfTexts(saved))) throw notNeeded(name);
  return { permission, patterns: touched, always: saved };
}

function furtherPermissions(name: string, also: unknown): readonly FurtherPermission[] {
  if (!Array.isArray(also)) throw notNeeded(name);
  return also.map((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) throw notNeeded(name);
    const { permission, patterns, always, defaultAction = "ask", byNameOnly }: { [Field in keyof FurtherPermission]?: unknown } = entry;
    const isAction = defaultAction === "allow" || defaultAction === "ask" || defaultAction === "deny";
    if (typeof permission !== "string" || permission === "" || !isListOfTexts(patterns) || !(always === undefined || isListOfTexts(always)) || !isAction) throw notNeeded(name);
    return { permission, patterns, always, defaultAction, byNameOnly: byNameOnly === true };
  });
}

function notNeeded(name: string): InvalidToolError {
  return new InvalidToolError(
    name,
    "permission() must return { permission?, patterns?, uncertain?, always?, title?, impact?, diff?, unaccounted?, also? }, with lists of texts as patterns, uncertain and always, and { permission, patterns, always?, defaultAction?, byNameOnly? } in also.",
  );
}

/** For people only: nothing is decided by it. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
