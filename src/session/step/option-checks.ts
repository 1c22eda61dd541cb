import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { InvalidArgumentError } from "../../errors.ts";
import { anyText, fields, finiteNumber, list, milliseconds, oneOf, plainObject, positiveInteger, record, text, type OptionCheck } from "../../util/check-options.ts";
import type { Timeouts } from "../defaults.ts";
import type { CallSettings } from "./process-input.ts";

/* Checks of the options that agents and processors have in common. */

const texts: OptionCheck = (value, argument) => {
  list(value, argument);
  // list has checked that it is one.
  for (const [index, item] of (value as unknown[]).entries()) text(item, `${argument}[${index}]`);
};

export const checkSettings: OptionCheck = fields<CallSettings>({
  maxOutputTokens: positiveInteger,
  temperature: finiteNumber,
  topP: finiteNumber,
  topK: finiteNumber,
  presencePenalty: finiteNumber,
  frequencyPenalty: finiteNumber,
  stopSequences: texts,
  seed: finiteNumber,
  reasoning: oneOf("provider-default", "none", "minimal", "low", "medium", "high", "xhigh", "max"),
  headers: record(anyText),
});

export const checkTimeouts: OptionCheck = fields<Timeouts>({
  firstChunkMs: milliseconds,
  idleMs: milliseconds,
  modelMs: milliseconds,
  toolMs: milliseconds,
  storageMs: milliseconds,
  hookMs: milliseconds,
  abortGraceMs: milliseconds,
});

export const checkProviderOptions: OptionCheck = record(plainObject) satisfies (options: SharedV4ProviderOptions, argument: string) => void;

/** A record of tools, or a registry. */
export const checkTools: OptionCheck = (value, argument) => {
  if (Array.isArray(value)) throw new InvalidArgumentError(argument, "expected an object, got a list. Write { name: tool, … }, or createToolRegistry([…]) when each tool has its own name.");
  plainObject(value, argument);
};
