import type { Ask } from "../../src/message/ask.ts";
import type { Message, WithParts } from "../../src/message/message.ts";
import type { Part } from "../../src/message/part.ts";
import type { SessionInfo } from "../../src/message/session-info.ts";
import type { Change, Storage } from "../../src/storage/storage.ts";

/** A client's copy of a session that knows nothing but the change feed. */
export class FeedReplica {
  #after = 0;
  #session: SessionInfo | undefined;
  readonly #messages = new Map<string, Message>();
  readonly #parts = new Map<string, { part: Part; position: number }>();
  readonly #asks = new Map<string, Ask>();

  /** Reads the feed to its end, in pages of about `limit` changes. */
  async follow(storage: Storage, sessionID: string, limit: number): Promise<void> {
    for (let more = true; more;) {
      const page = await storage.changes(sessionID, { after: this.#after, limit });
      if (page.reset === true) throw new Error(`The feed after ${this.#after} says reset.`);
      for (const change of page.changes) this.#apply(change);
      this.#after = page.seq;
      more = page.more;
    }
  }

  get session(): SessionInfo | undefined {
    return this.#session === undefined ? undefined : { ...this.#session, seq: this.#after };
  }

  /** Newest first. */
  get transcript(): WithParts[] {
    const promoted = [...this.#messages.values()].filter((message) => message.position !== undefined);
    return promoted.sort((a, b) => (b.position ?? 0) - (a.position ?? 0)).map((message) => this.#withParts(message));
  }

  /** By id: the feed does not tell the order of admission of a prompt that was changed in the queue. */
  get queued(): WithParts[] {
    const queued = [...this.#messages.values()].filter((message) => message.role === "user" && message.state === "queued");
    return queued.map((message) => this.#withParts(message)).sort(byMessageID);
  }

  /** By id. */
  get asks(): Ask[] {
    return [...this.#asks.values()].sort(byID);
  }

  #withParts(info: Message): WithParts {
    const parts = [...this.#parts.values()].filter(({ part }) => part.messageID === info.id);
    return { info, parts: parts.sort((a, b) => a.position - b.position).map(({ part }) => part) };
  }

  #apply(change: Change): void {
    switch (change.type) {
      case "session":
        this.#session = change.session;
        return;
      case "message":
        this.#messages.set(change.message.id, change.message);
        return;
      case "part":
        this.#parts.set(`${change.part.messageID} ${change.part.id}`, change);
        return;
      case "ask":
        this.#asks.set(change.ask.id, change.ask);
        return;
      case "message.deleted":
        this.#messages.delete(change.messageID);
        return;
      case "part.deleted":
        this.#parts.delete(`${change.messageID} ${change.partID}`);
        return;
      case "ask.deleted":
        this.#asks.delete(change.askID);
        return;
      case "session.deleted":
        this.#session = undefined;
    }
  }
}

export function byID(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

export function byMessageID(a: WithParts, b: WithParts): number {
  return byID(a.info, b.info);
}
