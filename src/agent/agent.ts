import { AgentClosedError, ConflictError, SessionNotFoundError } from "../errors.ts";
import type { Ask } from "../message/ask.ts";
import type { JSONObject } from "../message/json.ts";
import type { SessionInfo } from "../message/session-info.ts";
import { zeroTokens } from "../message/tokens.ts";
import type { AgentContext } from "../session/agent-context.ts";
import type { Engine } from "../session/engine.ts";
import { EventHub, type EventName, type SessionListener } from "../session/event-hub.ts";
import type { Session } from "../session/session.ts";
import type { Page, SessionQuery } from "../storage/storage.ts";
import { checkOptions, positiveInteger, text, type OptionCheck } from "../util/check-options.ts";
import { deepFreeze } from "../util/deep-freeze.ts";
import { jsonObject } from "../util/json-object.ts";
import { jsonClone } from "../util/json-clone.ts";
import { DamageReports } from "./damage-reports.ts";

/** What a new session is made with. */
export interface SessionOptions {
  /** Opens the session with this id, or makes it when there is none: your own key of a conversation, e.g. a thread id. */
  id?: string | undefined;
  /** Default: the first line of the first prompt. */
  title?: string | undefined;
  /** Working directory, for your tools. */
  directory?: string | undefined;
  /** Your own data, as JSON. */
  metadata?: JSONObject | undefined;
}

/** `null` asks for sessions without a parent. */
const textOrNull: OptionCheck = (value, argument) => {
  if (value !== null) text(value, argument);
};

/** A model with instructions, tools and a storage: makes and opens sessions. `createAgent` makes agents. */
export class Agent {
  readonly #context: AgentContext;
  readonly #hub: EventHub;
  /** Open sessions by id: two callers of one id share one object, and so one writer. */
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #damage: DamageReports;
  #closed = false;
  #engine: Promise<Engine> | undefined;

  /** @internal Use `createAgent`. */
  constructor(context: Omit<AgentContext, "publish" | "hears" | "isClosed" | "onSessionClosed">) {
    this.#hub = new EventHub(context.logger);
    this.#context = {
      ...context,
      hears: (type) => this.#hub.hears(type),
      publish: (event) => {
        this.#hub.publish(event);
      },
      isClosed: () => this.#closed,
      onSessionClosed: (sessionID) => {
        this.#sessions.delete(sessionID);
      },
    };
    this.#damage = new DamageReports(this.#context, (sessionID) => this.#sessions.get(sessionID));
  }

  get name(): string {
    return this.#context.name;
  }

  /**
   * A session: a new one without an argument, the stored one for an id, and for `{ id }` the stored one or a new one.
   *
   * @throws {SessionNotFoundError} no session has that id
   * @throws {InvalidToolError | MissingPackageError} a tool of the agent cannot be used
   * @throws {AgentClosedError} the agent is closed
   * @example
   * const session = await agent.session({ id: "thread-42" })
   */
  async session(idOrOptions?: string | SessionOptions): Promise<Session> {
    if (this.#closed) throw new AgentClosedError();
    this.#damage.listen();
    if (typeof idOrOptions === "string") {
      text(idOrOptions, "agent.session.id");
      return this.#open(idOrOptions, () => undefined);
    }
    // Not for null: a caller that lost its id must not get a new session for it.
    const options = idOrOptions === undefined ? {} : idOrOptions;
    checkOptions("agent.session.options", options, { id: text, title: text, directory: text, metadata: jsonObject });
    const id = options.id ?? this.#context.ids("ses");
    return this.#open(id, () => this.#create(id, options));
  }

  /**
   * Stored sessions, newest change first.
   *
   * @throws {InvalidArgumentError} the query has an unknown field, or one of the wrong type
   */
  sessions(query: SessionQuery = {}): Promise<Page<SessionInfo>> {
    checkOptions("agent.sessions.query", query, { cursor: text, limit: positiveInteger, parentID: textOrNull, directory: text, projectID: text });
    if (!this.#closed) this.#damage.listen();
    return this.#context.storage.listSessions(query);
  }

  /**
   * Asks of all sessions in the storage that wait for a reply, whoever runs them. `session.reply()` of the ask's session
   * answers one.
   */
  asks(): Promise<Ask[]> {
    return this.#context.storage.listAsks({ status: "open" });
  }

  /**
   * Calls the listener for each event of that name in all sessions, or of all with `"*"`. Returns the way to stop.
   *
   * @throws {InvalidArgumentError} there is no such event, or the listener is no function
   * @throws {AgentClosedError} the agent is closed, so that no event would come
   */
  on<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    if (this.#closed) throw new AgentClosedError();
    return this.#hub.on(name, listener);
  }

  /** Calls the listener for the next event of that name only; else like {@link Agent.on}. */
  once<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    if (this.#closed) throw new AgentClosedError();
    return this.#hub.once(name, listener);
  }

  off<K extends EventName>(name: K, listener: SessionListener<K>): void {
    this.#hub.off(name, listener);
  }

  /** Closes all open sessions, as {@link Session.close} does. The storage is the host's and stays open. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = await Promise.allSettled(this.#sessions.values());
    await Promise.all(open.flatMap((session) => (session.status === "fulfilled" ? [session.value.close()] : [])));
    // Where nothing was loaded, no tool has done anything.
    await this.#engine?.then((engine) => engine.close(), () => undefined);
    this.#damage.close();
    this.#hub.clear();
  }

  /** The open session of this id, or the stored one, or the one that `create` makes. */
  async #open(id: string, create: () => Promise<SessionInfo> | undefined): Promise<Session> {
    const known = await this.#sessions.get(id)?.catch(() => undefined);
    // One whose store broke, or that is closing: what still runs of it must end before another writes to the session.
    if (known?.isOver === true) await known.close();
    // Set before anything is awaited: two callers at the same time get the same session.
    const opening = this.#sessions.get(id) ?? this.#load(id, create);
    this.#sessions.set(id, opening);
    try {
      const session = await opening;
      // Its agent was closed while it opened, and did not know it yet.
      if (this.#closed) await session.close();
      return session;
    } catch (error) {
      if (this.#sessions.get(id) === opening) this.#sessions.delete(id);
      throw error;
    }
  }

  async #load(id: string, create: () => Promise<SessionInfo> | undefined): Promise<Session> {
    const engine = await this.#loadEngine();
    const info = (await this.#context.storage.getSession(id)) ?? (await create());
    if (info === undefined) throw new SessionNotFoundError(id);
    const { openSession } = await import("../session/open-session.ts");
    const session = openSession(info, this.#context, engine);
    // Nobody waits for it: a turn that fails says so by its events.
    if (this.#context.resume === "auto") session.resume();
    return session;
  }

  async #loadEngine(): Promise<Engine> {
    this.#engine ??= import("../session/engine.ts").then(({ Engine }) => new Engine(this.#context));
    const engine = await this.#engine;
    await engine.prepare();
    return engine;
  }

  async #create(id: string, options: SessionOptions): Promise<SessionInfo> {
    const { clock, name, storage } = this.#context;
    const now = clock.now();
    const session: SessionInfo = {
      id,
      rootID: id,
      title: options.title ?? "",
      agent: name,
      ...(options.directory !== undefined && { directory: options.directory }),
      permission: [],
      todos: [],
      metadata: jsonClone(options.metadata ?? {}),
      cost: 0,
      tokens: zeroTokens(),
      time: { created: now, updated: now },
      seq: 0,
    };
    try {
      const { seq } = await storage.commit({ sessionID: id, operations: [{ type: "session.create", session }] });
      return this.#announce({ ...session, seq });
    } catch (error) {
      // Somebody else made it first: it is the one that was asked for.
      if (!(error instanceof ConflictError)) throw error;
      const existing = await storage.getSession(id);
      // And removed it since.
      if (existing === undefined) return this.#create(id, options);
      // Or nobody else did, and the answer to the first try was lost.
      return error.isOfRepetition && existing.time.created === now ? this.#announce(existing) : existing;
    }
  }

  #announce(session: SessionInfo): SessionInfo {
    const { id, rootID, seq, time } = session;
    this.#context.publish(deepFreeze({ type: "session.created", sessionID: id, rootID, seq, time: time.created, turnID: undefined, session }));
    return session;
  }
}
