import { toolThrewText } from "../../tools/error-texts.ts";
import { withinToolTime } from "./within-tool-time.ts";
import { LeaveContext } from "./leave-context.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What a call has to itself while it runs. */
export class CallLocks {
  readonly #names: readonly string[];
  readonly #environment: Pick<ToolEnvironment, "locks" | "signal">;
  #release: (() => void) | undefined;

  constructor(names: readonly string[], environment: Pick<ToolEnvironment, "locks" | "signal">) {
    this.#names = names;
    this.#environment = environment;
  }

  /** Waits for all of it; of an aborted turn, for nothing: nothing of it is started any more. */
  async take(): Promise<void> {
    const { locks, signal } = this.#environment;
    this.#release ??= await locks.take(this.#names, signal).catch(() => undefined);
  }

  letGo(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** Takes what a call wants to itself. Returns why it does not run, when its tool cannot say what that is. */
export async function takeLocks({ tool, value, call }: ReadyCall, environment: ToolEnvironment): Promise<CallLocks | string | undefined> {
  try {
    const answer = tool.locks?.(value, new LeaveContext(tool.name, call, environment));
    const names = answer instanceof Promise ? await withinToolTime(answer, tool, environment) : answer;
    const locks = new CallLocks(names ?? [], environment);
    await locks.take();
    return locks;
  } catch (error) {
    // An aborted call is closed as such.
    return environment.signal.aborted ? undefined : toolThrewText(tool.name, error);
  }
}
