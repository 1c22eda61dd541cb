import type { SessionTool } from "./calls/session-tool.ts";
import type { CompactionResult } from "./compaction/compaction-result.ts";
import { InvalidArgumentError, PromptNotFoundError } from "../errors.ts";
import type { Ask, AskReply } from "../message/ask.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import type { SessionInfo } from "../message/session-info.ts";
import type { Artifact, Damage } from "../storage/storage.ts";
import { checkOptions, positiveInteger, text, wholeNumber } from "../util/check-options.ts";
import type { EventName, SessionListener } from "./event-hub.ts";
import type { SessionStatus } from "./events.ts";
import type { LiveSession } from "./live-session.ts";
import type { PromptInput } from "./prompt/prompt-input.ts";
import type { PromptOptions } from "./prompt/prompt-options.ts";
import type { MessagePage } from "./read-messages.ts";
import type { SessionWork } from "./session-work.ts";
import type { StreamItem, StreamOptions } from "./stream/stream-item.ts";
import type { Format, OutputOf } from "./structured-output/format.ts";
import { Turn } from "./turn/turn.ts";

/**
 * A conversation that lasts. `agent.session()` makes and opens sessions.
 *
 * An idle session holds no lease, no timer and no listener of its own; it needs no closing to be garbage.
 */
export class Session {
  readonly #work: SessionWork;

  /** @internal Agents make sessions. */
  constructor(work: SessionWork) {
    this.#work = work;
  }

  get #live(): LiveSession {
    return this.#work.live;
  }

  get id(): string {
    return this.#live.info.id;
  }

  /** The session's row as this process knows it. */
  get info(): SessionInfo {
    return this.#live.info;
  }

  /** What the session is doing in this process. */
  get status(): SessionStatus {
    return this.#live.status;
  }

  /** @internal The session cannot be used any more: it was closed, or its store broke. */
  get isOver(): boolean {
    return this.#live.closed || this.#live.journal.failure !== undefined;
  }

  /** @internal The storage has met a damaged record of the session. */
  reportDamage(damage: Damage): void {
    this.#live.publish(this.#live.journal.event("session.damaged", { damage }));
  }

  /**
   * Prompts the model. The prompt is accepted when it is stored (`turn.accepted`); while another turn runs it waits for
   * that one to end. The turn runs whether or not somebody waits for it.
   *
   * @throws {InvalidArgumentError} the prompt is empty, or an option is not valid
   * @throws {SessionClosedError} the session is closed
   * @returns a turn; awaiting it rejects with `ConflictError` when the id was used for another prompt before
   * @example
   * const { text } = await session.prompt("What changed since v1.2?")
   * const { output } = await session.prompt("Name a color.", { format: { type: "json_schema", schema: z.object({ name: z.string() }) } })
   */
  prompt<const F extends Format | undefined = undefined>(input: PromptInput, options: PromptOptions<F> = {}): Turn<OutputOf<F>> {
    if (this.#live.closed) throw this.#live.closedError();
    return new Turn(this.#work.prompt(input, options));
  }

  /**
   * Continues what a crash cut short, or what waits for answers: that turn, from what is stored of it; else the queued
   * prompts. Where a turn runs already, here or in another process, it is that one. Nothing resumes by itself, unless the agent has the option
   * `resume: "auto"`.
   *
   * @returns the turn of the prompt that goes on. Its `messageID` is empty until `accepted` has resolved, as the storage is
   * asked for it first. Awaiting it rejects with `NothingToResumeError` when every prompt has its outcome.
   * @throws {SessionClosedError} the session is closed
   * @example
   * const session = await agent.session("thread-42") // its process was killed
   * const { text } = await session.resume()
   */
  resume(): Turn {
    if (this.#live.closed) throw this.#live.closedError();
    return new Turn(this.#work.resume());
  }

  /**
   * Ends the running turn, wherever it is: the model call, a tool, a wait; here or in another process, which is asked to by
   * way of the storage; also one that a crash interrupted. Partial text is kept. Resolves when the turn has ended, within a
   * grace period even when provider and tools ignore the signal. Queued prompts run next.
   *
   * @param options - `queue: "cancel"` cancels the queued prompts too
   */
  async abort(options: { queue?: "keep" | "cancel" | undefined } = {}): Promise<void> {
    checkOptions("abort.options", options, {
      queue: (value, where) => {
        if (value !== "keep" && value !== "cancel") throw new InvalidArgumentError(where, 'expected "keep" or "cancel".');
      },
    });
    await this.#work.abort(options.queue ?? "keep");
  }

  /**
   * Replaces what the model is shown of the earlier conversation by a summary, between two turns. Nothing is deleted:
   * `messages()` gives all of it. Asked for twice at once, it happens once.
   *
   * @returns what it came to; nothing when there is nothing that a summary would make shorter
   * @throws {CompactionFailedError} the summary call failed, or its summary was no use: the session is as it was
   * @throws {ConflictError} a turn has no outcome yet: a crash cut it, or it waits for an answer
   * @throws {SessionClosedError} the session is closed
   */
  async compact(): Promise<CompactionResult | undefined> {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#work.compact();
  }

  /**
   * The transcript, oldest message first. Queued prompts are not part of it. A closed session can still be read.
   *
   * @example
   * const newest = await session.messages({ limit: 20 })
   * const before = await session.messages({ limit: 20, before: newest[0]?.info.id })
   */
  async messages(page: MessagePage = {}): Promise<WithParts[]> {
    checkOptions("messages.page", page, { before: text, limit: positiveInteger });
    return this.#work.messages(page);
  }

  /**
   * The agent's tools as this session offers them now, sorted by name, with what would become of a call: also those that the
   * rules hide from the model, as `deny`.
   *
   * @throws {SessionClosedError} the session is closed
   * @throws {InvalidToolError} a tool that was registered meanwhile cannot be used
   * @throws {Error} a schema or the permission policy did not answer within `timeouts.hookMs`
   * @example
   * for (const { name, decision } of await session.tools()) console.log(name, decision.action)
   */
  async tools(): Promise<SessionTool[]> {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#work.tools();
  }

  /**
   * The whole of an output that the model was shown in part, or a range of it: `truncated.artifactID` of a call's state names
   * it. `undefined` when it is no longer kept (`toolOutput.keep`).
   *
   * @param range in characters (UTF-16 code units)
   */
  async toolOutput(artifactID: string, range: { offset?: number | undefined; limit?: number | undefined } = {}): Promise<Artifact | undefined> {
    text(artifactID, "toolOutput.artifactID");
    checkOptions("toolOutput.range", range, { offset: wholeNumber, limit: positiveInteger });
    return this.#work.toolOutput(artifactID, range);
  }

  /** Prompts that wait, in the order in which they will run. */
  queue(): Promise<WithParts<UserMessage>[]> {
    return this.#work.queue();
  }

  /**
   * Takes a prompt out of the queue. Its turn ends with the outcome `cancelled`.
   *
   * @throws {PromptNotFoundError} it is not queued: unknown, running, or done
   */
  async cancel(messageID: string): Promise<void> {
    if (!(await this.#work.cancel(messageID))) throw new PromptNotFoundError(messageID);
  }

  /** Asks of this session that wait for a reply, whoever runs it, in order of creation. */
  asks(): Promise<Ask[]> {
    return this.#work.asks();
  }

  /**
   * Answers an ask, whoever runs the session. The first answer counts. Resolves when it is stored; a turn that waits in
   * place, here or in another process, then goes on by itself, one that was released with {@link Session.resume}.
   *
   * @throws {InvalidArgumentError} it is no reply, or none to this ask
   * @throws {AskNotFoundError} there is no such ask
   * @throws {ConflictError} it was answered before, its time is over, or its turn has ended; `existing` is the ask
   * @throws {SessionClosedError} the session is closed
   * @throws {SessionNotFoundError} it was removed
   * @example
   * session.on("ask.created", ({ ask }) => session.reply(ask.id, { decision: confirm(ask.title) ? "once" : "reject" }))
   */
  async reply(askID: string, reply: AskReply): Promise<void> {
    if (this.#live.closed) throw this.#live.closedError();
    text(askID, "reply.askID");
    await this.#work.reply(askID, reply);
  }

  /**
   * Calls the listener for each event of that name, or of all with `"*"`. Returns the way to stop.
   *
   * @throws {InvalidArgumentError} there is no such event, or the listener is no function
   * @throws {SessionClosedError} the session is closed, so that no event would come
   */
  on<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#live.hub.on(name, listener);
  }

  /** Calls the listener for the next event of that name only; else like {@link Session.on}. */
  once<K extends EventName>(name: K, listener: SessionListener<K>): () => void {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#live.hub.once(name, listener);
  }

  off<K extends EventName>(name: K, listener: SessionListener<K>): void {
    this.#live.hub.off(name, listener);
  }

  /**
   * The events for a client that comes and goes: what has changed after a cursor, as rows, then what happens, without a gap,
   * also when another process runs the session (then without deltas). Ends with the session, or by the signal.
   *
   * @throws {InvalidArgumentError | SessionClosedError} here; when iterated, `StorageError`: the last cursor stays good
   * @example
   * for await (const item of session.events({ after: cursor })) cursor = show(item).cursor
   */
  events(options: StreamOptions = {}): AsyncIterable<StreamItem> {
    if (this.#live.closed) throw this.#live.closedError();
    return this.#work.events(options);
  }

  /**
   * Removes the session from the storage, with its messages. A running turn is aborted first. This object is closed then,
   * also when the removal fails: open the session again to go on.
   *
   * @throws {SessionNotFoundError} it is removed already
   * @throws {ConflictError} another process runs it
   * @throws {SessionClosedError} the session is closed
   */
  async remove(): Promise<void> {
    if (this.#live.closed) throw this.#live.closedError();
    await this.#work.remove();
  }

  /**
   * Lets go of the session. The stored session can be opened again with `agent.session(id)`.
   *
   * A running turn that was prompted here is aborted. One that another process prompted is handed over, within the same grace
   * period: it has no outcome yet, and goes on there.
   *
   * Prompts that have not begun stay stored. Their turns here reject with `SessionClosedError` (`settled`: the outcome
   * `error`, code `interrupted`), but they are not lost and must not be sent again: they run with the next prompt of the
   * opened session, before it.
   */
  close(): Promise<void> {
    return this.#work.close();
  }
}
