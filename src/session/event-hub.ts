import { EventEmitter } from "eventemitter3";
import { InvalidArgumentError } from "../errors.ts";
import type { Logger } from "../util/logger.ts";
import { eventNames, type SessionEvent, type SessionEventMap, type SessionEventType } from "./events.ts";

/** The name of an event, or `"*"` for all of them. */
export type EventName = SessionEventType | "*";

/** A listener for one kind of event, or for all. */
export type SessionListener<K extends EventName> = (event: K extends SessionEventType ? SessionEventMap[K] : SessionEvent) => void;

interface Registration {
  /** The host's listener, guarded: what the emitter knows. */
  call: (event: SessionEvent) => void;
  /** For the next event only. */
  once: boolean;
}

/**
 * Calls listeners, synchronously and in order of registration. One that throws is reported and hurts nobody: neither the
 * other listeners (an emitter's `emit` stops at a throw) nor the engine.
 */
export class EventHub {
  readonly #emitter = new EventEmitter<Record<string, [SessionEvent]>>();
  /** By event name and the host's listener. */
  readonly #registrations = new Map<string, Map<unknown, Registration>>();
  readonly #logger: Logger | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /**
   * Registers a listener; registering it twice for one name changes nothing, except that one for the next event becomes one
   * for all. Returns the way to remove it.
   */
  on<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    this.#add(name, listener, false);
    return () => {
      this.off(name, listener);
    };
  }

  /** Registers a listener for the next event only. */
  once<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    this.#add(name, listener, true);
    return () => {
      this.off(name, listener);
    };
  }

  off<K extends EventName>(name: K, listener: SessionListener<K>): void {
    assertName("off.name", name);
    const listeners = this.#registrations.get(name);
    const registration = listeners?.get(listener);
    if (listeners === undefined || registration === undefined) return;
    listeners.delete(listener);
    if (listeners.size === 0) this.#registrations.delete(name);
    this.#emitter.off(name, registration.call);
  }

  publish(event: SessionEvent): void {
    // Asked first: this runs for every token, mostly with nobody listening to it by name.
    if (this.#registrations.has(event.type)) this.#emitter.emit(event.type, event);
    if (this.#registrations.has("*")) this.#emitter.emit("*", event);
  }

  /** Whether an event of that name would be heard by anybody. */
  hears(name: SessionEventType): boolean {
    return this.#registrations.has(name) || this.#registrations.has("*");
  }

  get listenerCount(): number {
    let count = 0;
    for (const listeners of this.#registrations.values()) count += listeners.size;
    return count;
  }

  clear(): void {
    this.#emitter.removeAllListeners();
    this.#registrations.clear();
  }

  #add<K extends EventName>(name: K, listener: SessionListener<K>, once: boolean): void {
    if (typeof listener !== "function") throw new InvalidArgumentError("on.listener", `expected a function, got ${typeof listener}.`);
    assertName("on.name", name);
    const listeners = this.#registrations.get(name) ?? new Map<unknown, Registration>();
    this.#registrations.set(name, listeners);
    const known = listeners.get(listener);
    if (known !== undefined) {
      known.once &&= once;
      return;
    }
    const call = (event: SessionEvent): void => {
      if (registration.once) this.off(name, listener);
      const report = (error: unknown): void => {
        this.#logger?.({ level: "error", message: `A listener of "${name}" threw.`, sessionID: event.sessionID, turnID: event.turnID, error });
      };
      try {
        // The emitter calls this listener for events of its own name only, so the event is of the type it takes. What it
        // returns is not used, unless it is the promise of an async listener, which may be rejected.
        const returned = (listener as (event: SessionEvent) => unknown)(event);
        if (returned instanceof Promise) returned.catch(report);
      } catch (error) {
        report(error);
      }
    };
    const registration: Registration = { call, once };
    listeners.set(listener, registration);
    this.#emitter.on(name, call);
  }
}

function assertName(argument: string, name: EventName): void {
  if (name === "*" || Object.hasOwn(eventNames, name)) return;
  throw new InvalidArgumentError(argument, `there is no event "${name}". There are: *, ${Object.keys(eventNames).join(", ")}.`);
}
