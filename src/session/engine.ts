import PQueue from "p-queue";
import { LoopPace } from "../util/loop-pace.ts";
import { withDeadline } from "../util/with-deadline.ts";
import type { AgentContext } from "./agent-context.ts";
import type { HeldLease } from "./keep-lease.ts";
import type { LiveSession } from "./live-session.ts";
import { compactionSettings, type CompactionSettings } from "./compaction/compaction-settings.ts";
import { LockTable } from "./calls/lock-table.ts";
import { notifyTools } from "./calls/notify-tools.ts";
import { sessionTools, type SessionTool } from "./calls/session-tool.ts";
import { ToolCatalog } from "./calls/tool-catalog.ts";
import { workOff } from "./work-off.ts";

/** Steps that may begin, or settle their calls, in one turn of the event loop: some milliseconds of work. */
const stepsPerLoopTurn = 32;

/**
 * What runs the sessions of an agent. It is loaded with the first session and not with the library, which costs little to
 * import; and not with the first prompt, which then waits for no file.
 */
export class Engine {
  readonly #context: AgentContext;
  readonly #slots: PQueue;
  readonly #catalog: ToolCatalog;
  readonly #locks = new LockTable();
  readonly #compaction: CompactionSettings;
  readonly #pace = new LoopPace(stepsPerLoopTurn);

  constructor(context: AgentContext) {
    this.#context = context;
    this.#slots = new PQueue({ concurrency: context.turnConcurrency });
    this.#catalog = new ToolCatalog(context.tools);
    this.#compaction = compactionSettings(context);
  }

  /**
   * Compiles the tools, and loads what their schemas need.
   *
   * @throws {InvalidToolError | MissingPackageError} a tool cannot be used
   */
  async prepare(): Promise<void> {
    const { clock, timeouts } = this.#context;
    const onDeadline = (): Error => new Error(`The schemas of the tools were not ready within ${timeouts.hookMs} ms (timeouts.hookMs).`);
    const entries = this.#catalog.entries();
    if (entries instanceof Promise) await withDeadline(entries, clock, timeouts.hookMs, onDeadline);
  }

  /** The tools that a session offers. */
  async tools(live: LiveSession): Promise<SessionTool[]> {
    await this.prepare();
    return sessionTools(live, this.#catalog);
  }

  /** A session was removed from the storage. */
  sessionRemoved(sessionID: string): Promise<void> {
    return notifyTools({ type: "onSessionRemoved", sessionID }, this.#context);
  }

  /** The agent was closed, and all its sessions. */
  close(): Promise<void> {
    return notifyTools({ type: "onClose" }, this.#context);
  }

  /** Works with the lease until nothing is queued. */
  workOff(live: LiveSession, lease: HeldLease): Promise<void> {
    return workOff(live, lease, { slots: this.#slots, catalog: this.#catalog, locks: this.#locks, compaction: this.#compaction, pace: this.#pace });
  }
}
