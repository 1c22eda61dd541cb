import { SessionClosedError } from "../errors.ts";
import type { Ask } from "../message/ask.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../message/message.ts";
import type { SessionInfo } from "../message/session-info.ts";
import { addTokens } from "../message/tokens.ts";
import { deepFreeze } from "../util/deep-freeze.ts";
import { settleInTime } from "../util/settle-in-time.ts";
import { wellFormed } from "../util/well-formed.ts";
import type { AgentContext } from "./agent-context.ts";
import { EventHub } from "./event-hub.ts";
import type { SessionEvent, SessionEventType, SessionStatus } from "./events.ts";
import { Journal, type Urgency } from "./journal/journal.ts";
import type { Transcript } from "./transcript.ts";
import type { RequestPrefix } from "./prefix/request-change.ts";
import type { WantedCompaction } from "./compaction/wanted-compaction.ts";
import type { TurnControl } from "./turn/turn-control.ts";

/** The turn that runs in this process, whoever prompted it. */
export interface RunningTurn {
  readonly messageID: string;
  /** What its events carry. */
  readonly turnID: string;
  readonly prompt: WithParts<UserMessage>;
  /** Its prompt once it was promoted, and those that joined it. */
  readonly prompts: readonly UserMessage[];
  /** Ends the turn. */
  readonly controller: AbortController;
  /** Resolves when the turn has ended. */
  readonly ended: Promise<unknown>;
  /** Whether the turn answers this prompt: its own, or one that joined it. */
  answers(messageID: string): boolean;
}

/** The asks of the session that runs in this process, as the others see them. */
export interface OwnAsks {
  /**
   * Takes note of asks as they are stored. A reply that is new here is published, and who waits for it goes on.
   *
   * @returns whether all of them are asks of the turn that runs here
   */
  hear(asks: readonly Ask[]): boolean;
  /** Ends the wait for answers, and leaves what waits as it is. False when more than a wait has to end. */
  suspend(): boolean;
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
  removed = false;
  #lastCancel = 0;
  /** The inbox may hold something that was not read yet. */
  hasMail = true;
  running: RunningTurn | undefined;
  asks: OwnAsks | undefined;
  /** When last looked at, its turn waited for an answer, and was not to go on here. */
  waitsForAnswer = false;
  /** Another process runs the session, and this one waits for it. */
  follows = false;
  /** Ends the wait for a change there. */
  stopWaiting: (() => void) | undefined;
  /** Prompts are being taken out of the queue: no next one begins before that is done. */
  cancelling: Promise<void> | undefined;
  /** A turn that is to be resumed, and whose prompt is not known yet. */
  resuming: TurnControl | undefined;
  /** A compaction that was asked for, until it has ended. */
  wantedCompaction: WantedCompaction | undefined;
  /** What the next request is compared with, where the host wants that. */
  lastRequest: RequestPrefix | undefined;
  #status: SessionStatus = { type: "idle" };
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

  /** Whether anybody in this process hears of such events: a listener here or at the agent, or who iterates the turn. */
  isHeard(type: SessionEventType): boolean {
    const reader = this.running === undefined ? undefined : this.turns.get(this.running.messageID);
    return this.hub.hears(type) || this.context.hears(type) || reader?.isRead === true;
  }

  setStatus(status: SessionStatus): void {
    if (status.type === this.#status.type && status.type !== "retry") return;
    this.#status = Object.freeze(status);
    // Said even when the store is broken: it is about this process, not about what is stored.
    this.publish(this.journal.event("session.status", { status }));
  }

  addTurn(control: TurnControl): void {
    this.turns.set(control.messageID, control);
  }

  removeTurn(control: TurnControl): void {
    // Another turn may have the id: this one was then refused.
    if (this.turns.get(control.messageID) === control) this.turns.delete(control.messageID);
  }

  /** The time of a cancellation. No two of this object have the same: the stored one then tells which of them wrote it. */
  cancelTime(): number {
    this.#lastCancel = Math.max(this.context.clock.now(), this.#lastCancel + 1);
    return this.#lastCancel;
  }

  /** Why nothing begins here any more, and what can be done. */
  closedError(): SessionClosedError {
    const end = this.context.isClosed() ? "agent-closed" : "closed";
    return new SessionClosedError(this.info.id, this.removed ? "removed" : end);
  }

  /** No turn of this process can end here. */
  failTurns(error: unknown): void {
    for (const control of [...this.turns.values()]) control.fail(error);
    this.resuming?.fail(error);
    this.resuming = undefined;
    this.wantedCompaction?.fail(error);
    this.wantedCompaction = undefined;
  }

  publish(event: SessionEvent): void {
    // No listener changes what the next one hears. A delta is flat, and comes for every token.
    if (event.type === "part.delta") Object.freeze(event);
    else deepFreeze(event);
    if (event.turnID !== undefined) this.#turnOf(event)?.record(event);
    this.hub.publish(event);
    this.context.publish(event);
  }

  /** Whose event it is: the prompt's that it is about, else the running turn's. A `turnID` alone does not tell: several prompts may share one. */
  #turnOf(event: SessionEvent): TurnControl | undefined {
    const { turns, running } = this;
    // A delta is never about a prompt, and comes for every token.
    const prompt = event.type === "part.delta" ? undefined : turns.get(messageOf(event) ?? "");
    if (prompt !== undefined && prompt.turnID === event.turnID) return prompt;
    return running !== undefined && running.turnID === event.turnID ? turns.get(running.messageID) : undefined;
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

  /** The transcript of `seq`, when it is still in memory. What this process wrote since, without a lease, does not change it. */
  rememberedTranscript(seq: number): Transcript | undefined {
    const transcript = this.#transcript?.deref();
    return transcript !== undefined && seq === this.journal.seq && transcript.seq >= this.journal.foreignSeq ? transcript : undefined;
  }

  /** @param transcript `undefined` when what is in memory is not what is stored */
  remember(transcript: Transcript | undefined): void {
    this.#transcript = transcript && new WeakRef(transcript);
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
    return settleInTime(given, { signal, clock, ms: timeouts.hookMs }, () => {
      throw new Error(`The instructions function did not answer within ${timeouts.hookMs} ms (timeouts.hookMs).`);
    });
  }
}

/** The message that an event is about. */
function messageOf(event: SessionEvent): string | undefined {
  if ("message" in event) return event.message.id;
  if ("part" in event) return event.part.messageID;
  return "messageID" in event ? event.messageID : undefined;
}
