import { InvalidArgumentError } from "../errors.ts";

/** Checks one option's value, and throws an `InvalidArgumentError` that names it. */
export type OptionCheck = (value: unknown, argument: string) => void;

type Checks<Options extends object> = { [Name in keyof Required<Options>]: OptionCheck };

/**
 * Checks an options object: only known names, and each value that is given or required. A misspelt option that was
 * silently ignored would be a limit that is not there.
 *
 * @throws {InvalidArgumentError} what is wrong, and which names there are
 */
export function checkOptions<Options extends object>(argument: string, options: Options, checks: Checks<Options>, required: readonly (keyof Options)[] = []): void {
  // Callers without types pass anything.
  if (typeof (options as unknown) !== "object" || (options as unknown) === null || Array.isArray(options)) {
    throw new InvalidArgumentError(argument, `expected an options object, got ${kindOf(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    // The names come from outside: an inherited name such as "constructor" is no option.
    const check = Object.hasOwn(checks, name) ? checks[name as keyof Options] : undefined;
    if (check === undefined) throw new InvalidArgumentError(`${argument}.${name}`, `there is no such option. There are: ${Object.keys(checks).join(", ")}.`);
    if (value !== undefined) check(value, `${argument}.${name}`);
  }
  for (const name of required) if (options[name] === undefined) checks[name](undefined, `${argument}.${String(name)}`);
}

/** A text, which may be empty. */
export const anyText: OptionCheck = (value, argument) => {
  if (typeof value !== "string") throw new InvalidArgumentError(argument, `expected a text, got ${kindOf(value)}.`);
};

/** A text that is not empty. */
export const text: OptionCheck = (value, argument) => {
  if (typeof value !== "string" || value === "") throw new InvalidArgumentError(argument, `expected a text, got ${value === "" ? "an empty one" : typeof value}.`);
};

export const positiveInteger: OptionCheck = (value, argument) => {
  if (!Number.isSafeInteger(value) || Number(value) < 1) throw new InvalidArgumentError(argument, `expected a whole number of at least 1, got ${shown(value)}.`);
};

export const wholeNumber: OptionCheck = (value, argument) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new InvalidArgumentError(argument, `expected a whole number of at least 0, got ${shown(value)}.`);
};

/** Longest wait that timers take: 2^31 - 1 ms. A longer one would fire at once. */
const longestMs = 2_147_483_647;

export const milliseconds: OptionCheck = (value, argument) => {
  if (typeof value !== "number" || !(value > 0) || value > longestMs) {
    throw new InvalidArgumentError(argument, `expected a number of milliseconds between 1 and ${longestMs}, got ${shown(value)}.`);
  }
};

export const flag: OptionCheck = (value, argument) => {
  if (typeof value !== "boolean") throw new InvalidArgumentError(argument, `expected true or false, got ${shown(value)}.`);
};

export const list: OptionCheck = (value, argument) => {
  if (!Array.isArray(value)) throw new InvalidArgumentError(argument, `expected a list, got ${kindOf(value)}.`);
};

export const abortSignal: OptionCheck = (value, argument) => {
  if (!(value instanceof AbortSignal)) throw new InvalidArgumentError(argument, `expected an AbortSignal, got ${kindOf(value)}.`);
};

export const callable: OptionCheck = (value, argument) => {
  if (typeof value !== "function") throw new InvalidArgumentError(argument, `expected a function, got ${typeof value}.`);
};

/** An object with fields: no list, map or set, whose contents would not be seen. */
export const plainObject: OptionCheck = (value, argument) => {
  const isOther = Array.isArray(value) || value instanceof Map || value instanceof Set;
  if (typeof value !== "object" || value === null || isOther) throw new InvalidArgumentError(argument, `expected an object, got ${kindOf(value)}.`);
};

export const finiteNumber: OptionCheck = (value, argument) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new InvalidArgumentError(argument, `expected a number, got ${shown(value)}.`);
};

/** A value in a message: a text in quotes, so that "3" is told from 3. */
function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}`;
  return typeof value === "object" ? "an object" : typeof value;
}

/** An object whose fields are checked one by one; other fields are refused, and so is the lack of a required one. */
export function fields<Fields extends object>(checks: Checks<Fields>, required?: readonly (keyof Fields)[]): OptionCheck {
  return (value, argument) => {
    // checkOptions refuses what is no object.
    checkOptions(argument, value as Fields, checks, required);
  };
}

/** An object that may hold any names, with values of one kind. */
export function record(check: OptionCheck): OptionCheck {
  return (value, argument) => {
    plainObject(value, argument);
    // plainObject has checked that it is an object.
    for (const [name, field] of Object.entries(value as object)) if (field !== undefined) check(field, `${argument}.${name}`);
  };
}

/** An object with the methods of a port. */
export function implementing(what: string, ...methods: string[]): OptionCheck {
  return (value, argument) => {
    plainObject(value, argument);
    // plainObject has checked that it is an object.
    const missing = methods.filter((method) => typeof (value as Record<string, unknown>)[method] !== "function");
    if (missing.length > 0) throw new InvalidArgumentError(argument, `expected ${what}; it has no ${missing.join("(), ")}().`);
  };
}

/** One of a few texts. */
export function oneOf(...texts: string[]): OptionCheck {
  return (value, argument) => {
    if (typeof value !== "string" || !texts.includes(value)) throw new InvalidArgumentError(argument, `expected one of ${texts.join(", ")}, got ${shown(value)}.`);
  };
}
