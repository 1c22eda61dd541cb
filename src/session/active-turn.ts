import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ConflictError } from "../errors.ts";
import type { MessageError } from "../message/message-error.ts";
import type { AssistantMessage, Outcome, UserMessage, WithParts } from "../message/message.ts";
import type { TextPart } from "../message/part.ts";
import { addTokens } from "../message/tokens.ts";
import type { LanguageModel } from "../model/language-model.ts";
import { resolveModel } from "../model/resolve-model.ts";
import type { PermissionPolicy } from "../permission/permission-policy.ts";
import type { OwnerOperation } from "../storage/storage.ts";
import { deferred } from "../util/deferred.ts";
import { deepFreeze } from "../util/deep-freeze.ts";
import { untilAborted } from "../util/until-aborted.ts";
import type { SessionEvent } from "./events.ts";
import type { LiveSession, RunningTurn } from "./live-session.ts";
import type { ProcessResult } from "./process-input.ts";
import type { FinishedStep } from "./step.ts";
import type { StepRunner } from "./step-runner.ts";
import { RunLedger } from "./run-ledger.ts";
import { stepLimitNote } from "./step-limit-note.ts";
import type { Transcript } from "./transcript.ts";
import { turnPolicy } from "./turn-policy.ts";
import { toTurnResult } from "./turn-result.ts";

/** How a turn ended, before it is stored. */
export type Ending = Pick<Outcome, "type" | "error">;

/** Everything that belongs to one turn, and ends with it. */
export class ActiveTurn implements RunningTurn {
  readonly controller = new AbortController();
  readonly ledger: RunLedger;
  /** The model's messages of this turn. */
  readonly messages: WithParts<AssistantMessage>[] = [];
  readonly turnID: string;
  /** What was thrown in the newest step, if anything was. */
  cause: unknown;
  /** Tools were withheld from the newest step, because the turn may take no further one. */
  toolsWithheld = false;
  readonly #live: LiveSession;
  readonly #end = deferred<undefined>();
  readonly #transcript: Transcript;
  readonly #steps: StepRunner;
  /** The prompt, and those that joined it. */
  readonly #prompts: UserMessage[] = [];
  readonly #prompt: UserMessage;
  /** The agent's policy under the ceilings of all prompts of the turn, each from its joining on. */
  #permissions: PermissionPolicy;
  readonly #isHidden = (tool: string): boolean => this.#permissions.hides?.(tool) === true;
  #model: LanguageModelV4 | undefined;

  constructor(live: LiveSession, transcript: Transcript, steps: StepRunner, prompt: UserMessage) {
    this.#live = live;
    this.#transcript = transcript;
    this.#steps = steps;
    this.#prompt = prompt;
    this.turnID = prompt.traceID ?? prompt.id;
    this.#permissions = turnPolicy(live.context.policy, prompt.permissions);
    this.ledger = new RunLedger({ maxSteps: prompt.maxSteps ?? live.context.maxSteps });
  }

  get messageID(): string {
    return this.#prompt.id;
  }

  get ended(): Promise<unknown> {
    return this.#end.promise;
  }

  answers(messageID: string): boolean {
    return messageID === this.#prompt.id || this.#prompts.some(({ id }) => id === messageID);
  }

  /** Whether a prompt can join: a ceiling can be added to the turn's, but it has one model, one system text and one limit. */
  canTake({ id, system, maxSteps }: UserMessage): boolean {
    const model = this.#live.turns.get(id)?.model ?? this.#givenModel;
    return model === this.#givenModel && system === undefined && maxSteps === undefined;
  }

  get #givenModel(): LanguageModel {
    return this.#live.turns.get(this.#prompt.id)?.model ?? this.#live.context.model;
  }

  /** Nothing of the turn runs any more. */
  close(): void {
    this.#end.resolve(undefined);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get newest(): WithParts | undefined {
    return this.#transcript.newest;
  }

  /** Gives a queued prompt its place in the transcript. False when it was cancelled meanwhile. */
  async promote({ info, parts }: WithParts<UserMessage>): Promise<boolean> {
    const { journal } = this.#live;
    const { state: _queued, ...rest } = info;
    const message: UserMessage = deepFreeze({ ...rest, position: this.#transcript.nextPosition });
    const events = [journal.event("prompt.promoted", { messageID: message.id }), journal.event("message.updated", { message })];
    try {
      await journal.promote({ type: "message.promote", messageID: message.id, position: this.#transcript.nextPosition }, events);
    } catch (error) {
      if (isCancelled(error)) return false;
      throw error;
    }
    // The ceiling of the first prompt is there already.
    if (message.id !== this.#prompt.id) this.#permissions = turnPolicy(this.#permissions, message.permissions);
    this.#prompts.push(message);
    this.#transcript.add({ info: message, parts });
    return true;
  }

  /** Makes one model call and settles its tools. */
  async step(): Promise<ProcessResult> {
    const { context, info } = this.#live;
    const model = (this.#model ??= await untilAborted(Promise.resolve(resolveModel(this.#givenModel)), this.signal));
    const instructions = this.#live.instructions(this.signal);
    const system = [typeof instructions === "string" ? instructions : await instructions, this.#prompt.system ?? ""];
    this.toolsWithheld = this.ledger.nextIsLast && context.tools.list().some(({ name }) => !this.#isHidden(name));
    this.ledger.takeStep();
    if (this.toolsWithheld) this.#addNote(stepLimitNote(this.ledger.maxSteps));
    const finished = await this.#steps.run({
      session: info,
      user: this.#prompt,
      agent: context.name,
      system,
      messages: this.#transcript.request({ providerID: model.provider, modelID: model.modelId }, context.profile),
      tools: context.tools,
      model,
      profile: context.profile,
      toolChoice: this.toolsWithheld ? { type: "none" } : undefined,
      abortSignal: this.signal,
      settings: context.settings,
      providerOptions: context.providerOptions,
      permissions: this.#permissions,
      isHidden: this.#isHidden,
      step: this.ledger.steps,
      position: this.#transcript.nextPosition,
    });
    this.#note(finished);
    this.cause = finished.cause;
    return finished.result;
  }

  /** Writes the outcome of every prompt of the turn. Returns how to settle them, once the session's status says so too. */
  async finish(ending: Ending): Promise<() => void> {
    const { journal, context, turns } = this.#live;
    const result = toTurnResult(this.#prompt.id, ending, this.messages);
    const operations: OwnerOperation[] = [];
    const events: SessionEvent[] = ending.type === "error" && ending.error !== undefined ? [journal.event("session.error", { error: ending.error })] : [];
    // The prompt that began the turn comes last: its event ends the turn.
    for (const prompt of [...this.#prompts].reverse()) {
      const message: UserMessage = { ...prompt, outcome: { ...ending, time: context.clock.now() } };
      operations.push({ type: "message.put", message });
      events.push(journal.event("message.updated", { message }));
      const { cost } = result;
      // The result is the caller's, the event everybody's.
      const tokens = deepFreeze(result.tokens);
      events.push(journal.event("turn.finished", { messageID: message.id, outcome: ending.type, tokens, cost }, message.traceID ?? message.id));
    }
    journal.write(operations, events);
    await journal.flush();
    return () => {
      for (const { id } of this.#prompts) turns.get(id)?.settle({ ...result, messageID: id }, this.cause);
    };
  }

  /** Takes the newest step into the transcript and the totals. */
  #note({ message, parts }: FinishedStep): void {
    // Two lists: the result is its caller's, who may change it.
    this.messages.push({ info: message, parts: [...parts] });
    this.#transcript.add({ info: message, parts: [...parts] });
    const { tokens, cost } = this.#live.info;
    const model = { providerID: message.providerID, modelID: message.modelID };
    this.#live.update({ model, tokens: addTokens(tokens, message.tokens), cost: cost + message.cost });
  }

  /** Adds a note for the model to the newest message. It is stored, so that later requests repeat it as it was. */
  #addNote(text: string): void {
    const { context, journal } = this.#live;
    const newest = this.#transcript.newest;
    if (newest === undefined) return;
    const { id: messageID, sessionID } = newest.info;
    const part: TextPart = { id: context.ids("prt"), sessionID, messageID, type: "text", text, synthetic: true };
    const parts = [...newest.parts, part];
    this.#transcript.replaceNewest({ info: newest.info, parts });
    // The result shows what is stored. At the first step the newest message is the prompt, which is not in it.
    const last = this.messages.pop();
    if (last !== undefined) this.messages.push(last.info.id === messageID ? { info: last.info, parts: [...parts] } : last);
    journal.write([{ type: "part.put", part }], [journal.event("part.updated", { part })], "soon");
  }

  /** Why the turn could not go on, when it is the newest step's fault. */
  get error(): MessageError | undefined {
    return this.messages.at(-1)?.info.error;
  }
}

/** Whether a promotion failed because the prompt was cancelled, here or by another process. */
function isCancelled(error: unknown): boolean {
  if (!(error instanceof ConflictError)) return false;
  const { existing } = error;
  return typeof existing === "object" && existing !== null && "state" in existing && existing.state === "cancelled";
}
