import { InvalidArgumentError } from "../../errors.ts";
import { checkProfile } from "../../message/check-profile.ts";
import { assertLanguageModel } from "../../model/resolve-model.ts";
import { abortSignal, anyText, callable, checkOptions, list, plainObject, positiveInteger, text, type OptionCheck } from "../../util/check-options.ts";
import { checkProviderOptions, checkSettings, checkTools } from "./option-checks.ts";
import type { ProcessInput } from "./process-input.ts";

/**
 * Checks what one step is given.
 *
 * @throws {InvalidArgumentError} something required is missing, a name is unknown, or a value has the wrong type
 */
export function checkProcessInput(input: ProcessInput): void {
  const checks: { [Name in keyof Required<ProcessInput>]: OptionCheck } = {
    session: withTexts("id", "rootID"),
    user: withTexts("id", "sessionID"),
    agent: (value, argument) => {
      if (typeof value === "object") withTexts("name")(value, argument);
      else text(value, argument);
    },
    system: (value, argument) => {
      if (!Array.isArray(value)) anyText(value, argument);
    },
    messages: (value, argument) => {
      if (value === undefined) throw new InvalidArgumentError(argument, "expected the conversation, as toModelMessages(history, model) makes it.");
      list(value, argument);
    },
    tools: checkTools,
    model: assertLanguageModel,
    profile: checkProfile,
    toolChoice: plainObject,
    abortSignal,
    settings: checkSettings,
    providerOptions: checkProviderOptions,
    permissions: () => undefined, // toPolicy checks it
    isHidden: callable,
    step: positiveInteger,
    attempt: positiveInteger,
    position: (value, argument) => {
      if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(argument, "expected a whole number.");
    },
  };
  checkOptions("process.input", input, checks, ["session", "user", "agent", "messages", "model"]);
}

/** An object of a host, of which only these texts are needed. */
function withTexts(...names: string[]): OptionCheck {
  return (value, argument) => {
    plainObject(value, argument);
    // plainObject has checked that it is an object.
    for (const name of names) text((value as Record<string, unknown>)[name], `${argument}.${name}`);
  };
}
