import type { AgentContext } from "../session/agent-context.ts";
import type { Session } from "../session/session.ts";
import type { Damage } from "../storage/storage.ts";

/** Passes on what the storage tells of damaged records: as an event, and to the logger. */
export class DamageReports {
  readonly #context: AgentContext;
  readonly #sessionOf: (sessionID: string) => Promise<Session> | undefined;
  #stop: (() => void) | undefined;

  /** @param sessionOf the open session of an id, or the one that is being opened */
  constructor(context: AgentContext, sessionOf: (sessionID: string) => Promise<Session> | undefined) {
    this.#context = context;
    this.#sessionOf = sessionOf;
  }

  /** From the first use of the storage on, and not before: an agent that was only made needs no closing. */
  listen(): void {
    this.#stop ??= this.#context.storage.onDamage?.((damage) => {
      const { logger } = this.#context;
      logger?.({ level: "warn", message: `A record cannot be read and was set aside: ${damage.where}: ${damage.reason}`, sessionID: damage.sessionID, damage });
      void this.#publish(damage);
    });
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #publish(damage: Damage): Promise<void> {
    const { sessionID = "" } = damage;
    const session = await this.#sessionOf(sessionID)?.catch(() => undefined);
    if (session !== undefined && !session.isOver) session.reportDamage(damage);
    else this.#context.publish({ type: "session.damaged", sessionID, rootID: "", seq: 0, time: this.#context.clock.now(), turnID: undefined, damage });
  }
}
