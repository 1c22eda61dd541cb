import { InvalidArgumentError } from "../errors.ts";
import { finiteNumber, plainObject, text, type OptionCheck } from "../util/check-options.ts";
import { checkClock } from "../util/clock.ts";
import type { Reply, ReplyPiece } from "./reply-piece.ts";

const anyText: OptionCheck = (value, argument) => {
  if (typeof value !== "string") throw new InvalidArgumentError(argument, `expected a text, got ${typeof value}.`);
};

const list: OptionCheck = (value, argument) => {
  if (!Array.isArray(value)) throw new InvalidArgumentError(argument, `expected a list of stream parts, got ${typeof value}.`);
};

/** What a piece of each type cannot do without. */
const needed: Readonly<Record<ReplyPiece["type"], Readonly<Record<string, OptionCheck>>>> = {
  text: { text: anyText },
  reasoning: { text: anyText },
  "tool-call": { name: anyText, input: anyText },
  chunks: { parts: list },
  finish: {},
  error: {},
  stall: {},
  cut: {},
};

const atLeast =
  (least: number): OptionCheck =>
  (value, argument) => {
    if (value === Infinity) return;
    finiteNumber(value, argument);
    // finiteNumber has checked that it is one.
    if ((value as number) < least) throw new InvalidArgumentError(argument, `must be at least ${least}.`);
  };

/** The checks of a scripted model's options. */
export const scriptedModelChecks = { provider: text, modelId: text, usage: plainObject, chunkSize: atLeast(1), delayMs: atLeast(0), clock: checkClock };

/**
 * Checks what a scripted model is to say.
 *
 * @throws {InvalidArgumentError} it is no script
 */
export function checkScript(script: unknown): void {
  if (typeof script === "function") return;
  if (!Array.isArray(script)) throw new InvalidArgumentError("scriptedModel.script", "must be an array with one reply per model call, or a function of the request.");
  script.forEach((entry: unknown, index) => {
    if (typeof entry !== "function") checkReply(entry, `scriptedModel.script[${index}]`);
  });
}

/**
 * Checks one reply of a script.
 *
 * @throws {InvalidArgumentError} it is none
 */
export function checkReply(reply: unknown, argument: string): asserts reply is Reply {
  if (!Array.isArray(reply)) {
    checkPiece(reply, argument);
    return;
  }
  reply.forEach((piece, index) => {
    checkPiece(piece, `${argument}[${index}]`);
  });
}

function checkPiece(piece: unknown, argument: string): void {
  const type: unknown = typeof piece === "object" && piece !== null && "type" in piece ? piece.type : undefined;
  const checks = typeof type === "string" && Object.hasOwn(needed, type) ? needed[type as ReplyPiece["type"]] : undefined;
  if (checks === undefined) throw new InvalidArgumentError(argument, "must be made with reply.text, reply.toolCall, …, or be a function that does so.");
  // Only objects have a type.
  for (const [name, check] of Object.entries(checks)) check(Reflect.get(piece as object, name), `${argument}.${name}`);
}
