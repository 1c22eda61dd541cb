import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { MessageErrorCode } from "../../message/message-error.ts";
import type { ModelRef } from "../../message/model-ref.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import { resolveModel } from "../../model/resolve-model.ts";
import { untilAborted } from "../../util/until-aborted.ts";

/** What another model may cure. */
const curable: ReadonlySet<MessageErrorCode> = new Set<MessageErrorCode>(["auth", "network", "not-found", "overloaded", "quota", "rate-limit"]);

export function isCurable(code: MessageErrorCode): boolean {
  return curable.has(code);
}

/** The models of a turn: its own, and those that take its place. The one that took it last stays to the end of the turn. */
export class TurnModels {
  readonly #given: () => LanguageModel;
  readonly #fallbacks: readonly LanguageModel[];
  readonly #signal: AbortSignal;
  #index = 0;
  /** What another process left the turn with. */
  #left: ModelRef | undefined;
  /** The model in use, once it was asked for. */
  current: LanguageModelV4 | undefined;

  constructor({ given, fallbacks, signal }: { given: () => LanguageModel; fallbacks: readonly LanguageModel[]; signal: AbortSignal }) {
    this.#given = given;
    this.#fallbacks = fallbacks;
    this.#signal = signal;
  }

  /** The agent's wire rules and the like are for the turn's own model. */
  get isOwn(): boolean {
    return this.#index === 0;
  }

  async resolve(): Promise<LanguageModelV4> {
    return (this.current ??= (await this.#leftFallback()) ?? (await this.#resolve(this.#given())));
  }

  /** The turn was begun by another process, which called this model last: one of the fallbacks stays in its place. */
  goOnWith({ providerID, modelID }: ModelRef): void {
    this.#left = { providerID, modelID };
  }

  /** Takes the next model. Nothing when there is none left. */
  async next(): Promise<LanguageModelV4 | undefined> {
    const fallback = this.#fallbacks[this.#index];
    if (fallback === undefined) return undefined;
    this.#index += 1;
    return (this.current = await this.#resolve(fallback));
  }

  async #leftFallback(): Promise<LanguageModelV4 | undefined> {
    const left = this.#left;
    if (left === undefined || isSame(await this.#resolve(this.#given()), left)) return undefined;
    for (const [index, fallback] of this.#fallbacks.entries()) {
      // One that cannot be found is not the one that was called.
      const model = await this.#resolve(fallback).catch(() => undefined);
      if (model === undefined || !isSame(model, left)) continue;
      this.#index = index + 1;
      return model;
    }
    return undefined;
  }

  #resolve(model: LanguageModel): Promise<LanguageModelV4> {
    return untilAborted(Promise.resolve(resolveModel(model)), this.#signal);
  }
}

function isSame({ provider, modelId }: LanguageModelV4, { providerID, modelID }: ModelRef): boolean {
  return provider === providerID && modelId === modelID;
}
