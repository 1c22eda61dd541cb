import type { AssistantMessage, UserMessage, WithParts } from "../message/message.ts";
import type { SessionInfo } from "../message/session-info.ts";
import { addTokens } from "../message/tokens.ts";
import { untilAborted } from "../util/until-aborted.ts";
import { wellFormed } from "../util/well-formed.ts";
import { withDeadline } from "../util/with-deadline.ts";
import type { AgentContext } from "./agent-context.ts";
import { EventHub } from "./event-hub.ts";
import type { SessionEvent, SessionStatus } from "./events.ts";
import { Journal, type Urgency } from "./journal.ts";
import type { Transcript } from "./transcript.ts";
import type { TurnControl } from "./turn-control.ts";

/** The turn that runs in this process, whoever prompted it. */
export interface RunningTurn {
  readonly messageID: string;
  readonly prompt: WithParts<UserMessage>;
  /** Ends the turn. */
  readonly controller: AbortController;
  /** Resolves when the turn has ended. */
  readonly ended: Promise<unknown>;
  /** Whether the turn answers this prompt: its own, or one that joined it. */
  answers(messageID: string): boolean;
}

/** The state of one open session in this process, shared by everything that works on it. */
export class LiveSession {
  readonly context: AgentContext;
  readonly hub: EventHub;
  readonly journal: Journal;
  /** Turns of this process that have not ended, by their prompt's message id. */
  readonly turns = new Map<string, TurnControl>();
  info: SessionInfo;
  closed = false;
  /** The inbox may hold something that was not read yet. */
  hasMail = true;
  running: RunningTurn | undefined;
  /** A turn that is to be resumed, and whose prompt is not known yet. */
  resuming: TurnControl | undefined;
  #status: SessionStatus = { type: "idle" };
  readonly #turnsByTurnID = new Map<string, TurnControl>();
  /** Kept for the next prompt only as long as the memory is not needed: an idle session holds nothing that can be read again. */
  #transcript: WeakRef<Transcript> | undefined;
  #instructions: string | undefined;

  constructor(info: SessionInfo, context: AgentContext) {
    this.info = info;
    this.context = context;
    this.hub = new EventHub(context.logger);
    this.journal = new Journal({
      storage: context.storage,
      clock: context.clock,
      sessionID: info.id,
      rootID: info.rootID,
      seq: info.seq,
      publish: (event) => {
        this.publish(event);
      },
      onForeignWrite: () => {
        this.hasMail = true;
      },
    });
  }

  get status(): SessionStatus {
    return this.#status;
  }

  setStatus(status: SessionStatus): void {
    if (status.type === this.#status.type && status.type !== "retry") return;
    this.#status = Object.freeze(status);
    // Said even when the store is broken: it is about this process, not about what is stored.
    this.publish(this.journal.event("session.status", { status }));
  }

  addTurn(control: TurnControl): void {
    this.turns.set(control.messageID, control);
    this.#turnsByTurnID.set(control.turnID, control);
  }

  removeTurn(control: TurnControl): void {
    // Another turn may have the id: this one was then refused.
    if (this.turns.get(control.messageID) === control) this.turns.delete(control.messageID);
    if (this.#turnsByTurnID.get(control.turnID) === control) this.#turnsByTurnID.delete(control.turnID);
  }

  /** No turn of this process can end here. */
  failTurns(error: unknown): void {
    for (const control of [...this.turns.values()]) control.fail(error);
    this.resuming?.fail(error);
    this.resuming = undefined;
  }

  publish(event: SessionEvent): void {
    if (event.turnID !== undefined) this.#turnsByTurnID.get(event.turnID)?.record(event);
    this.hub.publish(event);
    this.context.publish(event);
  }

  /** Changes the session's row with the next commit. Only the owner of the lease may. */
  update(change: Partial<SessionInfo>, urgency: Urgency = "soon"): void {
    const info = Object.assign({}, this.info, change);
    info.seq = this.journal.seq;
    info.time = { created: info.time.created, updated: this.context.clock.now() };
    this.info = info;
    this.journal.write([{ type: "session.put", session: this.info }], [this.journal.event("session.updated", { session: this.info })], urgency);
  }

  /** Adds what a model call has used to the session's totals. */
  count({ providerID, modelID, tokens, cost }: AssistantMessage): void {
    this.update({ model: { providerID, modelID }, tokens: addTokens(this.info.tokens, tokens), cost: this.info.cost + cost });
  }

  /** The transcript of `seq`, when it is still in memory. */
  rememberedTranscript(seq: number): Transcript | undefined {
    const transcript = this.#transcript?.deref();
    return transcript?.seq === seq ? transcript : undefined;
  }

  remember(transcript: Transcript): void {
    this.#transcript = new WeakRef(transcript);
  }

  /** The instructions, rendered once: what a provider has cached must not change under it. A failure is not kept. */
  instructions(signal: AbortSignal): string | Promise<string> {
    // One that was given up may come late, after another was used.
    return this.#instructions ?? this.#renderInstructions(signal).then((rendered) => (this.#instructions ??= rendered));
  }

  async #renderInstructions(signal: AbortSignal): Promise<string> {
    const { instructions } = this.context;
    const rendered = typeof instructions === "function" ? await this.#call(instructions, signal) : instructions;
    return wellFormed(typeof rendered === "string" ? rendered : (rendered ?? []).join("\n\n"));
  }

  /** The host's function, which may never answer. */
  #call(instructions: Extract<AgentContext["instructions"], (...given: never) => unknown>, signal: AbortSignal): Promise<string | readonly string[]> {
    const { clock, timeouts } = this.context;
    const given = Promise.resolve(instructions({ sessionID: this.info.id, directory: this.info.directory }));
    return withDeadline(untilAborted(given, signal), clock, timeouts.hookMs, () => new Error(`The instructions function did not answer within ${timeouts.hookMs} ms (timeouts.hookMs).`));
  }
}
