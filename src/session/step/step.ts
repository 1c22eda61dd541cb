import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { MessageError } from "../../message/message-error.ts";
import type { AssistantMessage } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { InputHooks } from "./input-hooks.ts";
import type { ProcessInput, ProcessResult } from "./process-input.ts";
import type { StepInput } from "./step-input.ts";
import type { StepContext } from "./step-context.ts";
import type { StepFold } from "./step-fold.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";

/** A step that has ended, with all its calls. */
export interface FinishedStep {
  result: ProcessResult;
  message: AssistantMessage;
  parts: readonly Part[];
  /** What was thrown, or came as an error part: for the program that awaits the turn; the row has it in words. */
  cause?: unknown;
}

/** A step under way. */
export interface Step {
  input: StepInput;
  message: AssistantMessage;
  fold: StepFold;
  model: LanguageModelV4;
  entries: readonly CatalogEntry[];
  hooks: InputHooks | undefined;
  context: StepContext;
  signal: AbortSignal;
}

/** Name of the agent that a step is for. */
export function agentName({ agent }: ProcessInput): string {
  return typeof agent === "string" ? agent : agent.name;
}

/** A copy of the row, which may be changed until it is written. Not a spread: on Node 20 each would make a hidden class of its own. */
export function withError(message: AssistantMessage, error: MessageError | undefined): AssistantMessage {
  const copy = Object.assign({}, message);
  if (error !== undefined) copy.error = error;
  return copy;
}
