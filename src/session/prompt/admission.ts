import { ConflictError } from "../../errors.ts";
import type { UserMessage, WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import { wellFormed } from "../../util/well-formed.ts";
import type { LiveSession } from "../live-session.ts";
import { toPromptParts, type PromptInput } from "./prompt-input.ts";
import { givenParts } from "./resolve-files.ts";
import { checkPromptOptions, type PromptOptions } from "./prompt-options.ts";
import { toStoredFormat } from "../structured-output/check-format.ts";
import { storedOutcome } from "../turn/stored-turn.ts";
import { TurnControl, type TurnHost } from "../turn/turn-control.ts";

/** A prompt that was checked and is about to be stored. */
export interface Admission {
  control: TurnControl;
  message: UserMessage;
  parts: Part[];
}

/**
 * Checks a prompt and makes its rows. Nothing is stored yet.
 *
 * @throws {InvalidArgumentError} the prompt is empty, or an option is not valid
 */
export function prepareAdmission(live: LiveSession, input: PromptInput, options: PromptOptions, host: TurnHost): Admission {
  checkPromptOptions(options);
  const { context, info } = live;
  const id = options.id ?? context.ids("msg");
  const parts = toPromptParts(input, { sessionID: info.id, messageID: id }, context.ids, { takesFiles: context.resolveFile !== undefined });
  const message: UserMessage = {
    id,
    sessionID: info.id,
    role: "user",
    agent: info.agent,
    model: refOf(options.model ?? context.model),
    ...(options.system !== undefined && { system: wellFormed(options.system) }),
    ...(options.permissions !== undefined && { permissions: options.permissions.map((rule) => ({ ...rule })) }),
    ...(options.traceID !== undefined && { traceID: options.traceID }),
    ...(options.delivery !== undefined && { delivery: options.delivery }),
    ...(options.maxSteps !== undefined && { maxSteps: options.maxSteps }),
    ...(options.budget !== undefined && { budget: { ...options.budget } }),
    ...(options.format !== undefined && { format: toStoredFormat(options.format) }),
    state: "queued",
    time: { created: context.clock.now() },
  };
  const prompt = { messageID: id, turnID: options.traceID ?? id, fingerprint: fingerprint({ info: message, parts }), model: options.model, format: options.format };
  return { control: new TurnControl(prompt, host), message, parts };
}

/**
 * Stores a prompt. From then on it is accepted: a crash does not lose it. A prompt that is stored already, with the same
 * content, is not stored again: its turn follows the stored one.
 */
export async function admit(live: LiveSession, { control, message, parts }: Admission): Promise<void> {
  const { journal } = live;
  const admitted = journal.event("prompt.admitted", { messageID: message.id }, control.turnID);
  const events = [admitted, journal.event("message.updated", { message }, control.turnID), ...parts.map((part) => journal.event("part.updated", { part }, control.turnID))];
  try {
    await journal.guarded([{ type: "prompt.admit", message, parts }], events);
    live.hasMail = true;
    control.admittedHere = true;
    control.accept(journal.seq);
  } catch (error) {
    // The store took it, its answer was lost, and the repetition met the prompt itself: all is as if it had answered.
    control.admittedHere = isStoredBy(error, parts);
    if (control.admittedHere) for (const event of events) journal.emit(event);
    if (!(await follow(live, control, error))) throw error;
  }
}

function isStoredBy(error: unknown, parts: readonly Part[]): boolean {
  // The ids of the parts are made anew for each prompt, also for one that comes twice.
  return error instanceof ConflictError && isStoredPrompt(error.existing) && error.existing.parts[0]?.id === parts[0]?.id;
}

/** Whether the prompt was refused only because it is there already, with the same content. */
async function follow(live: LiveSession, control: TurnControl, error: unknown): Promise<boolean> {
  if (!(error instanceof ConflictError) || !isStoredPrompt(error.existing)) return false;
  if (fingerprint(error.existing) !== control.fingerprint) {
    throw otherContent(control.messageID, error.existing);
  }
  live.hasMail = true;
  control.accept(live.journal.seq);
  const { outcome } = error.existing.info;
  if (outcome !== undefined) control.settle(await storedOutcome(live.context.storage, error.existing.info, outcome));
  return true;
}

function isStoredPrompt(row: unknown): row is WithParts<UserMessage> {
  return typeof row === "object" && row !== null && "info" in row && "parts" in row;
}

/** What makes two prompts the same: all that a caller chose, and nothing that the engine added. */
export function fingerprint({ info, parts }: WithParts<UserMessage>): string {
  const { system, permissions, maxSteps, format, budget } = info;
  const content = givenParts(parts).map((part) => ({ ...part, id: undefined, messageID: undefined, sessionID: undefined }));
  return JSON.stringify([content, system, permissions, maxSteps, format, budget && [budget.tokens, budget.cost, budget.durationMs]]);
}

function refOf(model: LanguageModel): UserMessage["model"] {
  return typeof model === "string" ? { providerID: model.split("/", 1)[0] ?? model, modelID: model } : { providerID: model.provider, modelID: model.modelId };
}

/** An id stands for one prompt: a second one under it would be lost, or answered as the first. */
export function otherContent(messageID: string, existing: unknown): ConflictError {
  return new ConflictError(`A prompt with the id "${messageID}" and another content was accepted before. Give the new prompt an id of its own.`, existing);
}
