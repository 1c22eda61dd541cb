import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { UserMessage } from "../../message/message.ts";
import type { ModelProfile } from "../../message/model-profile.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import type { PermissionPolicy } from "../../permission/permission-policy.ts";
import { outputInstruction } from "../engine-notes.ts";
import type { LiveSession } from "../live-session.ts";
import { TurnModels } from "../retry/turn-models.ts";
import type { StepInput } from "../step/step-input.ts";
import { OutputDemand } from "../structured-output/output-demand.ts";
import type { Transcript } from "../transcript.ts";
import { turnPolicy } from "./turn-policy.ts";

/** What the model of a turn is asked: everything of a step's input that does not change from step to step. */
export class TurnRequests {
  readonly models: TurnModels;
  /** The structured answer that the prompt wants, if it wants one. */
  readonly output: OutputDemand | undefined;
  /** The agent's policy under the ceilings of all prompts of the turn, each from its joining on. */
  permissions: PermissionPolicy;
  readonly #live: LiveSession;
  readonly #prompt: UserMessage;
  readonly #signal: AbortSignal;
  readonly #isHidden = (tool: string): boolean => this.permissions.hides?.(tool) === true;

  constructor(live: LiveSession, prompt: UserMessage, signal: AbortSignal) {
    this.#live = live;
    this.#prompt = prompt;
    this.#signal = signal;
    this.permissions = turnPolicy(live.context.policy, prompt.permissions);
    this.models = new TurnModels({ given: () => this.givenModel, fallbacks: live.context.fallbackModels, signal });
    const { format } = prompt;
    this.output = format?.type === "json_schema" ? new OutputDemand(format, live.turns.get(prompt.id)?.format, live.context.tools) : undefined;
  }

  get givenModel(): LanguageModel {
    return this.#live.turns.get(this.#prompt.id)?.model ?? this.#live.context.model;
  }

  hasTools(): boolean {
    return this.#live.context.tools.list().some(({ name }) => !this.#isHidden(name));
  }

  async system(): Promise<string[]> {
    const instructions = this.#live.instructions(this.#signal);
    const system = [typeof instructions === "string" ? instructions : await instructions, this.#prompt.system ?? ""];
    return this.output === undefined ? system : [...system, outputInstruction(this.output.name)];
  }

  /** The messages of a request to this model. */
  messages({ provider, modelId }: LanguageModelV4, transcript: Transcript): LanguageModelV4Prompt {
    return transcript.request({ providerID: provider, modelID: modelId }, this.#profile);
  }

  input(model: LanguageModelV4, messages: LanguageModelV4Prompt): StepInput {
    const { context, info } = this.#live;
    return {
      session: info,
      user: this.#prompt,
      agent: context.name,
      messages,
      tools: context.tools,
      model,
      profile: this.#profile,
      abortSignal: this.#signal,
      settings: context.settings,
      providerOptions: context.providerOptions,
      permissions: this.permissions,
      isHidden: this.#isHidden,
    };
  }

  /** Offers the tool for the answer; where the host's are withheld, nothing else. */
  demand(output: StepInput["output"], input: StepInput, toolsWithheld: boolean): void {
    input.output = output;
    if (toolsWithheld) input.isHidden = () => true;
    if (toolsWithheld || !this.hasTools()) input.toolChoice = { type: "required" };
  }

  get #profile(): ModelProfile | undefined {
    return this.models.isOwn ? this.#live.context.profile : undefined;
  }
}
