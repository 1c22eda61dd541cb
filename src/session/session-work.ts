import type { Ask, AskReply } from "../message/ask.ts";
import type { UserMessage, WithParts } from "../message/message.ts";
import { abortSession, abortTurn } from "./abort/abort-session.ts";
import { admit, otherContent, prepareAdmission, type Admission } from "./prompt/admission.ts";
import { replyToAsk, storedAsks } from "./asks/reply-to-ask.ts";
import type { CompactionResult } from "./compaction/compaction-result.ts";
import { WantedCompaction } from "./compaction/wanted-compaction.ts";
import type { SessionTool } from "./calls/session-tool.ts";
import { cancelPrompt } from "./abort/cancel-prompt.ts";
import type { Engine } from "./engine.ts";
import { eventStream } from "./stream/event-stream.ts";
import { heedSignal } from "./abort/heed-signal.ts";
import type { LiveSession } from "./live-session.ts";
import type { PromptInput } from "./prompt/prompt-input.ts";
import { isLocalFile, resolveFiles } from "./prompt/resolve-files.ts";
import type { PromptOptions } from "./prompt/prompt-options.ts";
import type { Artifact } from "../storage/storage.ts";
import { QueueFullError } from "./prompt/queue-full-error.ts";
import { readMessages, type MessagePage } from "./read-messages.ts";
import { resumeTurn } from "./recovery/resume-turn.ts";
import { Runner } from "./runner.ts";
import { SessionEnd } from "./session-end.ts";
import type { StreamItem, StreamOptions } from "./stream/stream-item.ts";
import type { TurnControl, TurnHost } from "./turn/turn-control.ts";

/**
 * What an open session does, behind the `Session` that its host holds. It is loaded with the first one: an import of the
 * library needs none of it.
 */
export class SessionWork {
  readonly live: LiveSession;
  readonly #engine: Engine;
  readonly #runner: Runner;
  readonly #end: SessionEnd;
  /** Prompts that wait for their files. */
  #reading: Promise<void> | undefined;
  readonly #host: TurnHost = {
    abortTurn: (control) => abortTurn(this.live, control),
    turnSettled: (control) => {
      this.live.removeTurn(control);
    },
  };

  constructor(live: LiveSession, engine: Engine) {
    this.live = live;
    this.#engine = engine;
    this.#runner = new Runner(live, engine);
    this.#end = new SessionEnd(live, this.#runner, engine);
  }

  prompt(input: PromptInput, options: PromptOptions): TurnControl {
    const { live } = this;
    const admission = prepareAdmission(live, input, options, this.#host);
    const { control } = admission;
    const known = live.turns.get(control.messageID);
    if (known?.fingerprint === control.fingerprint) {
      heedSignal(options.abortSignal, known);
      return known;
    }
    if (known !== undefined) {
      control.fail(otherContent(control.messageID, undefined));
      return control;
    }
    const { maxQueued } = live.context;
    // All but the one that runs, or is about to.
    if (live.turns.size > maxQueued) {
      control.fail(new QueueFullError(live.info.id, maxQueued));
      return control;
    }
    live.addTurn(control);
    this.#admit(admission).then(
      () => {
        if (!control.isSettled) this.#runner.wake();
      },
      (error: unknown) => {
        control.fail(error);
      },
    );
    // After the admission: a prompt that is not in the queue cannot be taken out of it.
    heedSignal(options.abortSignal, control);
    return control;
  }

  /** One after another while files are read: the queue has the order in which prompts were given. */
  #admit(admission: Admission): Promise<void> {
    const { live } = this;
    if (this.#reading === undefined && !admission.parts.some(isLocalFile)) return admit(live, admission);
    const before = this.#reading ?? Promise.resolve();
    const { id: sessionID, directory } = live.info;
    const admitted = resolveFiles(admission.parts, live.context, { sessionID, directory }).then(async (parts) => {
      await before;
      // The session was closed meanwhile, or the turn aborted.
      if (!admission.control.isSettled) await admit(live, { ...admission, parts });
    });
    const reading = admitted.catch(() => undefined).then(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return admitted;
  }

  resume(): TurnControl {
    const control = resumeTurn(this.live, this.#host);
    this.live.stopWaiting?.();
    this.#runner.wake();
    return control;
  }

  abort(queue: "keep" | "cancel"): Promise<void> {
    return abortSession({ live: this.live, host: this.#host, wake: () => { this.#runner.wake(); } }, queue);
  }

  compact(): Promise<CompactionResult | undefined> {
    const wanted = (this.live.wantedCompaction ??= new WantedCompaction());
    this.#runner.wake();
    return wanted.result;
  }

  /** False when it is not queued. */
  cancel(messageID: string): Promise<boolean> {
    return cancelPrompt(this.live, messageID);
  }

  messages(page: MessagePage): Promise<WithParts[]> {
    return readMessages(this.live.context.storage, this.live.info.id, page);
  }

  tools(): Promise<SessionTool[]> {
    return this.#engine.tools(this.live);
  }

  toolOutput(artifactID: string, range: { offset?: number | undefined; limit?: number | undefined }): Promise<Artifact | undefined> {
    return this.live.context.storage.getArtifact(this.live.info.id, artifactID, range);
  }

  async queue(): Promise<WithParts<UserMessage>[]> {
    await this.live.journal.flush();
    return (await this.live.context.storage.inbox(this.live.info.id)).queued;
  }

  async asks(): Promise<Ask[]> {
    return (await storedAsks(this.live)).filter(({ status }) => status === "open");
  }

  reply(askID: string, reply: AskReply): Promise<void> {
    return replyToAsk(this.live, askID, reply);
  }

  events(options: StreamOptions): AsyncIterable<StreamItem> {
    return eventStream(this.live, options);
  }

  remove(): Promise<void> {
    return this.#end.remove();
  }

  close(): Promise<void> {
    return this.#end.close();
  }
}
