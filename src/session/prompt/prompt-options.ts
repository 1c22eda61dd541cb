import { InvalidArgumentError } from "../../errors.ts";
import type { Budget } from "../../message/budget.ts";
import type { Delivery } from "../../message/message.ts";
import type { PermissionRule } from "../../message/permission-rule.ts";
import type { LanguageModel } from "../../model/language-model.ts";
import { assertLanguageModel } from "../../model/resolve-model.ts";
import { permissionRules } from "../../permission/permission-rules.ts";
import { checkBudget } from "../budget/check-budget.ts";
import { checkFormat } from "../structured-output/check-format.ts";
import type { Format } from "../structured-output/format.ts";
import { checkOptions, positiveInteger, text } from "../../util/check-options.ts";

/** Options of one prompt. */
export interface PromptOptions<F extends Format | undefined = Format | undefined> {
  /**
   * Your own id for the prompt's message, e.g. a webhook's delivery id. The same id with the same content is accepted
   * once and gives the same turn; with other content it is a `ConflictError`.
   */
  id?: string | undefined;
  /** The model of this prompt. Default: the agent's. */
  model?: LanguageModel | undefined;
  /** Extra instructions for this prompt only. */
  system?: string | undefined;
  /**
   * What happens when the session is busy: `queue` waits for the running turn to end, `steer` joins it at its next step
   * and is answered by it. Default `queue`.
   *
   * Its `permissions` limit the joined turn from then on. A turn has one model, one system text, one step limit, one budget
   * and one format: a prompt that steers with a `model` other than the turn's, a `system`, `maxSteps`, `budget` or `format`
   * waits for a turn of its own.
   */
  delivery?: Delivery | undefined;
  /** Rules that limit this prompt. They can only take away: what the agent denies stays denied. */
  permissions?: readonly PermissionRule[] | undefined;
  /** Most model steps of this turn. Default: the agent's `maxSteps`. */
  maxSteps?: number | undefined;
  /** What this turn may use. Each limit replaces the agent's. */
  budget?: Budget | undefined;
  /**
   * The form of the answer: `{ type: "json_schema", schema }`. The answer is checked, and is the result's `output`. A model
   * that gives another one is told why, and asked again up to `retryCount` times; then the turn ends with the error
   * `structured-output`.
   */
  format?: F;
  /**
   * Ends the turn; one that still waits in the queue is cancelled. An already aborted signal ends it before any model call.
   * When a prompt comes twice, by its `id`, the signals of both are heeded.
   */
  abortSignal?: AbortSignal | undefined;
  /** Your own id of the turn: its events carry it as `turnID`. */
  traceID?: string | undefined;
}

/**
 * Checks what a caller gave.
 *
 * @throws {InvalidArgumentError} an unknown option, or one of the wrong type
 */
export function checkPromptOptions(options: PromptOptions): void {
  checkOptions("prompt.options", options, {
    id: text,
    model: assertLanguageModel,
    system: text,
    delivery: (value, where) => {
      if (value !== "queue" && value !== "steer") throw new InvalidArgumentError(where, 'expected "queue" or "steer".');
    },
    permissions: (value, where) => {
      if (!Array.isArray(value)) throw new InvalidArgumentError(where, 'expected a list of rules, e.g. [{ permission: "bash", action: "deny" }].');
      permissionRules(value);
    },
    maxSteps: positiveInteger,
    budget: checkBudget,
    format: checkFormat,
    abortSignal: (value, where) => {
      if (!(value instanceof AbortSignal)) throw new InvalidArgumentError(where, "expected an AbortSignal.");
    },
    traceID: text,
  });
}
