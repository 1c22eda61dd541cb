import type { IDSource } from "../../message/ids.ts";
import { checkPrices, type Prices } from "../../model/cost.ts";
import type { PermissionPolicy } from "../../permission/permission-policy.ts";
import { callable, checkOptions, fields, positiveInteger } from "../../util/check-options.ts";
import { checkClock, type Clock } from "../../util/clock.ts";
import type { Logger } from "../../util/logger.ts";
import type { Timeouts } from "../defaults.ts";
import type { SessionEvent } from "../events.ts";
import { checkTimeouts } from "./option-checks.ts";

export interface ProcessorOptions {
  /** Receives the events of the step, in order. */
  onEvent?: ((event: SessionEvent) => void) | undefined;
  /** Judges each call. Default: everything that the host gave is allowed. */
  permissions?: PermissionPolicy | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  prices?: Prices | undefined;
  /** How many tool calls run at once. Default 8. */
  concurrency?: { tools?: number | undefined } | undefined;
  clock?: Clock | undefined;
  ids?: IDSource | undefined;
  logger?: Logger | undefined;
}

/**
 * Checks what a processor is made with.
 *
 * @throws {InvalidArgumentError} an unknown option, or a value of the wrong type
 */
export function checkProcessorOptions(options: ProcessorOptions): void {
  checkOptions("Processor.options", options, {
    onEvent: callable,
    permissions: () => undefined, // toPolicy checks it
    timeouts: checkTimeouts,
    prices: checkPrices,
    concurrency: fields<{ tools?: number }>({ tools: positiveInteger }),
    clock: checkClock,
    ids: callable,
    logger: callable,
  });
}
