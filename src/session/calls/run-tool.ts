import { AskRejectedError } from "../../errors.ts";
import { resolveToolResult } from "../../tools/resolve-tool-result.ts";
import type { AbortSource } from "../../util/abort-relay.ts";
import type { Clock } from "../../util/clock.ts";
import { LazyAbortController } from "../../util/lazy-abort-controller.ts";
import { ToolTimer, type ReachedLimit, type ToolLimits } from "./tool-timer.ts";

/** How the execution of a tool ended. */
export type ToolRun<Result> = { type: "value"; value: Result } | { type: "error"; error: unknown } | { type: "timeout"; reached: ReachedLimit } | { type: "aborted" };

export interface ToolRunOptions<Result> {
  /** Starts the tool. The signal is the tool's own: aborted with the turn, and when the time is over. */
  execute(abort: LazyAbortController, timer: ToolTimer): unknown;
  /** Takes each value of a tool that yields several. */
  onProgress: (value: unknown) => void;
  /** Makes the result of the last value. It may run code of the tool, so it is bounded like the tool itself. */
  finish(value: unknown): Result | PromiseLike<Result>;
  /** The turn's signal. */
  signal: AbortSource;
  limits: ToolLimits;
  /** How often it runs again when it throws. */
  retry: number;
  /** How long a tool may still take to give its result when the turn was aborted. */
  graceMs: number;
  clock: Clock;
}

/**
 * Runs a tool to one of four ends. It always ends: by the tool, by its timeout, or a grace period after an abort, whether
 * the tool heeds its signal or not. What the tool does later is ignored; no timer and no listener stays behind.
 */
export function runTool<Result>(options: ToolRunOptions<Result>): Promise<ToolRun<Result>> {
  const { clock, signal, limits, graceMs } = options;
  if (signal.aborted) return Promise.resolve({ type: "aborted" });
  return new Promise((resolve) => {
    const controller = new LazyAbortController();
    let ended = false;
    let graceTimer: unknown;
    const end = (run: ToolRun<Result>): void => {
      if (ended) return;
      ended = true;
      timer.stop();
      if (graceTimer !== undefined) clock.clearTimeout(graceTimer);
      signal.removeEventListener("abort", onAbort);
      resolve(run);
    };
    const onAbort = (): void => {
      controller.abort(signal.reason);
      graceTimer = clock.setTimeout(() => {
        end({ type: "aborted" });
      }, graceMs);
    };
    const timer = new ToolTimer(clock, limits, (reached) => {
      const lack = reached.isIdle ? "made no progress for" : "did not finish within";
      controller.abort(new DOMException(`The tool ${lack} ${reached.limitMs} ms.`, "TimeoutError"));
      end({ type: "timeout", reached });
    });
    signal.addEventListener("abort", onAbort, { once: true });
    start(options, controller, timer).then(
      (value) => {
        end({ type: "value", value });
      },
      (error: unknown) => {
        // What a tool throws because it was aborted is no failure of the tool.
        end(signal.aborted ? { type: "aborted" } : { type: "error", error });
      },
    );
  });
}

async function start<Result>(options: ToolRunOptions<Result>, abort: LazyAbortController, timer: ToolTimer): Promise<Result> {
  return options.finish(await (options.retry === 0 ? attempt(options, abort, timer) : attemptAgain(options, abort, timer)));
}

function attempt(options: ToolRunOptions<unknown>, abort: LazyAbortController, timer: ToolTimer): Promise<unknown> {
  return resolveToolResult(options.execute(abort, timer), abort, options.onProgress);
}

/** For tools of which it is known that running them again does no harm. What a person has refused is not asked again. */
async function attemptAgain(options: ToolRunOptions<unknown>, abort: LazyAbortController, timer: ToolTimer): Promise<unknown> {
  for (let left = options.retry; ; left -= 1) {
    try {
      return await attempt(options, abort, timer);
    } catch (error) {
      if (left === 0 || abort.aborted !== undefined || error instanceof AskRejectedError) throw error;
    }
  }
}
