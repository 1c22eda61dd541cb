import type { AssistantMessage } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { guardPrices } from "../model/cost.ts";
import { toPolicy } from "../permission/to-policy.ts";
import { guardLogger } from "../util/logger.ts";
import type { ProcessInput, ProcessResult } from "./step/process-input.ts";
import { checkProcessorOptions, type ProcessorOptions } from "./step/processor-options.ts";
import type { StepRunner } from "./step/step-runner.ts";

/**
 * Runs one model call, folds its stream into parts, and gives every tool call its result. What it learns is written
 * first and published second. A session runs its steps the same way; this class is for steps without a session.
 *
 * @example
 * const processor = new Processor({ onEvent: (event) => log(event) })
 * const next = await processor.process({ session, user, agent: "default", messages: toModelMessages(history, model), tools, model })
 * console.log(next, processor.message, processor.parts)
 */
export class Processor {
  readonly #options: ProcessorOptions;
  /** Made with the first step, whose code is loaded then: importing the library should cost little. */
  #runner: StepRunner | undefined;
  #message: AssistantMessage | undefined;
  #parts: readonly Part[] = [];

  /** @throws {InvalidArgumentError} an unknown option, or a value of the wrong type */
  constructor(options: ProcessorOptions = {}) {
    checkProcessorOptions(options);
    const { permissions, prices } = options;
    const logger = guardLogger(options.logger);
    // All three are foreign code: a policy that throws denies, and the others hurt nobody.
    this.#options = { ...options, permissions: permissions && toPolicy(permissions), prices: guardPrices(prices, logger), logger };
  }

  /** The assistant message of the newest step. */
  get message(): AssistantMessage | undefined {
    return this.#message;
  }

  /** The parts of the newest step's message, in order. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /**
   * Runs one step. It does not throw for what a model or a tool does: that becomes the message's `error`, or a call's.
   *
   * @throws {StorageError | LeaseLostError} the step cannot be stored
   * @throws {InvalidArgumentError} the input lacks something, or has a value of the wrong type
   * @throws {InvalidToolError | MissingPackageError} a tool or the model cannot be used
   */
  async process(input: ProcessInput): Promise<ProcessResult> {
    const { StepRunner, checkProcessInput } = await import("./step/step-runner.ts");
    checkProcessInput(input);
    this.#runner ??= new StepRunner(this.#options);
    const { permissions } = input;
    const { result, message, parts } = await this.#runner.run({ ...input, permissions: permissions && toPolicy(permissions) });
    this.#message = message;
    this.#parts = parts;
    return result;
  }
}
