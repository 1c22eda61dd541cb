import type { Engine } from "./engine.ts";
import type { LiveSession } from "./live-session.ts";
import { removeSession } from "./remove-session.ts";
import type { Runner } from "./runner.ts";
import { userAbort } from "./abort/user-abort.ts";
import { HandOver, isPromptedHere } from "./turn/hand-over.ts";

/** The end of an open session, which comes once: it is let go of, or removed from the storage. */
export class SessionEnd {
  readonly #live: LiveSession;
  readonly #engine: Engine;
  readonly #runner: Runner;
  #ending: Promise<void> | undefined;

  constructor(live: LiveSession, runner: Runner, engine: Engine) {
    this.#live = live;
    this.#engine = engine;
    this.#runner = runner;
  }

  close(): Promise<void> {
    this.#ending ??= this.#close();
    return this.#ending;
  }

  async remove(): Promise<void> {
    const removal = this.#remove();
    // Whoever opens the session meanwhile waits for the end of it, whatever it is.
    this.#ending = removal.catch(() => undefined);
    await removal;
  }

  async #close(): Promise<void> {
    await this.#stop(this.#whyToStop());
    this.#letGo();
  }

  async #remove(): Promise<void> {
    await this.#stop(userAbort());
    await removeSession(this.#live).catch((error: unknown) => {
      this.#letGo();
      throw error;
    });
    this.#live.removed = true;
    await this.#engine.sessionRemoved(this.#live.info.id);
    this.#detach();
  }

  /** The session stays stored. */
  #letGo(): void {
    const { journal, info } = this.#live;
    this.#detach(() => {
      this.#live.publish(journal.event("session.closed", { session: info }));
    });
  }

  /** Why a running turn ends here. Nothing for one that waits for an answer: it can be answered, and goes on in another process. */
  #whyToStop(): DOMException | undefined {
    const { running, asks } = this.#live;
    if (asks?.suspend() === true) return undefined;
    // Who prompted it elsewhere still waits for an answer.
    return running === undefined || isPromptedHere(this.#live, running) ? userAbort() : new HandOver();
  }

  async #stop(reason: DOMException | undefined): Promise<void> {
    const live = this.#live;
    live.closed = true;
    if (reason !== undefined) live.running?.controller.abort(reason);
    live.wantedCompaction?.controller.abort(userAbort());
    live.stopWaiting?.();
    await this.#runner.idle();
    // A prompt that is just being stored is accepted or not before its turn is told that the session is closed.
    await live.journal.flush().catch(() => undefined);
  }

  #detach(announce = (): void => undefined): void {
    const live = this.#live;
    live.failTurns(live.closedError());
    announce();
    live.context.onSessionClosed(live.info.id);
    live.hub.clear();
  }
}
