import type { IDSource } from "../message/ids.ts";
import type { Prices } from "../model/cost.ts";
import type { PermissionPolicy } from "../permission/permission-policy.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { Timeouts } from "./defaults.ts";
import type { SessionEvent } from "./events.ts";

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
