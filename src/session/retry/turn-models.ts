import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { MessageErrorCode } from "../../message/message-error.ts";
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
    return (this.current ??= await this.#resolve(this.#given()));
  }

  /** Takes the next model. Nothing when there is none left. */
  async next(): Promise<LanguageModelV4 | undefined> {
    const fallback = this.#fallbacks[this.#index];
    if (fallback === undefined) return undefined;
    this.#index += 1;
    return (this.current = await this.#resolve(fallback));
  }

  #resolve(model: LanguageModel): Promise<LanguageModelV4> {
    return untilAborted(Promise.resolve(resolveModel(model)), this.#signal);
  }
}
