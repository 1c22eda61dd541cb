import { ConflictError, ThroughlineError } from "../../errors.ts";
import type { Ask, AskReply } from "../../message/ask.ts";
import type { JSONObject } from "../../message/json.ts";
import type { ToolPart } from "../../message/part.ts";
import type { PermissionDecision, PermissionRequest } from "../../permission/permission-policy.ts";
import { addRules, allowRules, unsavedPatterns } from "../../permission/saved-rules.ts";
import { escapeWildcards } from "../../util/escape-wildcards.ts";
import type { AbortSource } from "../../util/abort-relay.ts";
import type { LiveSession, OwnAsks } from "../live-session.ts";
import type { AskSettings } from "./ask-options.ts";
import { AskWaits, type Answer, type Reconsider } from "./ask-waits.ts";
import { storedReply } from "./stored-reply.ts";
import { TurnPause } from "./turn-pause.ts";

/** What a person is asked. */
export interface Question extends Pick<Ask, "permission" | "title"> {
  patterns: readonly string[];
  always?: readonly string[] | undefined;
  /** Further leave that is asked for with it. */
  also?: readonly { permission: string; patterns: readonly string[]; always?: readonly string[] | undefined }[] | undefined;
  input: JSONObject;
  impact?: string | undefined;
  diff?: string | undefined;
  reason?: string | undefined;
  /** Milliseconds; `undefined` for the agent's own. */
  timeoutMs?: number | undefined;
}

/** Who waits, and until when. */
interface Waiting {
  signal: AbortSource;
  /** Decides anew, after rules were saved. */
  reconsider: Reconsider;
  /** Whether the tool runs already. */
  runs: boolean;
}

/** The asks of the turn that runs here: writes their rows, and lets calls wait for the replies. */
export class AskDesk implements OwnAsks {
  readonly pause: TurnPause;
  readonly settings: AskSettings;
  readonly #live: LiveSession;
  /** Open ones, and answered ones that were not carried out, by id. */
  readonly #asks = new Map<string, Ask>();
  /** Those whose reply was published here. */
  readonly #heard = new Set<string>();
  readonly #waits: AskWaits;
  #suspending = false;

  constructor(live: LiveSession) {
    this.#live = live;
    this.settings = live.context.asks;
    this.#waits = new AskWaits(live.context.clock, (ask) => { this.#answer(ask, { decision: "reject" }, ask.expires); });
    this.pause = new TurnPause(live, () => {
      if (this.settings.mode === "release" || this.#suspending) this.#waits.endCalls({ type: "suspended" });
    });
  }

  /** Takes the asks that are stored. */
  load(asks: readonly Ask[]): void {
    for (const ask of asks) this.#asks.set(ask.id, ask);
  }

  get isEmpty(): boolean {
    return this.#asks.size === 0;
  }

  /** All that are not closed. */
  get all(): Ask[] {
    return [...this.#asks.values()];
  }

  /** The ask about a call. */
  of({ id, messageID }: ToolPart): Ask | undefined {
    return this.isEmpty ? undefined : this.all.find((ask) => ask.partID === id && ask.messageID === messageID);
  }

  /** Whether saved rules answer the request. */
  isSaved(request: Pick<PermissionRequest, "permission" | "patterns">): boolean {
    return request.patterns.length > 0 && this.unsaved(request).length === 0;
  }

  /** The patterns of a request that saved rules do not answer. */
  unsaved(request: Pick<PermissionRequest, "permission" | "patterns">): readonly string[] {
    return unsavedPatterns(this.#live.info.permission, request);
  }

  /** Writes an ask, with what is written in the same breath. `undefined` when nobody is to be asked. */
  open(question: Question, part: ToolPart): Ask | undefined {
    const { clock, ids } = this.#live.context;
    const { journal, info } = this.#live;
    const timeoutMs = question.timeoutMs ?? this.settings.timeoutMs;
    if (timeoutMs <= 0) return undefined;
    const now = clock.now();
    const { permission, patterns, title, input, impact, diff, reason, also = [] } = question;
    const ask: Ask = {
      id: ids("ask"),
      sessionID: info.id,
      rootID: info.rootID,
      messageID: part.messageID,
      partID: part.id,
      callID: part.callID,
      permission,
      patterns: [...patterns],
      always: rulesOf(question),
      tool: part.tool,
      input,
      title,
      ...(impact !== undefined && { impact }),
      ...(diff !== undefined && { diff }),
      ...(reason !== undefined && { reason }),
      ...(also.length > 0 && { also: also.map((need) => ({ permission: need.permission, patterns: [...need.patterns], always: rulesOf(need) })) }),
      ...(Number.isFinite(timeoutMs) && { expires: now + timeoutMs }),
      status: "open",
      time: { created: now },
    };
    this.#asks.set(ask.id, ask);
    journal.write([{ type: "ask.put", ask }], [journal.event("ask.created", { ask })]);
    this.#warnIfUnheard(ask);
    return ask;
  }

  /** Another process may answer. Where nobody does, the turn waits without limit, and the host should know why. */
  #warnIfUnheard({ id, tool, sessionID, expires }: Ask): void {
    const live = this.#live;
    if (expires !== undefined || this.settings.mode === "release" || live.isHeard("ask.created")) return;
    const message = `Tool "${tool}" waits for a person, and nobody listens for asks in this process. Answer by session.reply(), or limit the wait by asks.timeoutMs.`;
    live.context.logger?.({ level: "warn", message, sessionID, askID: id });
  }

  /** Waits for the answer. Who gets one is at work from then on. */
  async wait(ask: Ask, { signal, reconsider, runs }: Waiting): Promise<Answer> {
    const { pause } = this;
    const known = this.#asks.get(ask.id) ?? ask;
    if (signal.aborted) return { type: "aborted" };
    if (known.status === "open") return this.#waitForReply(known, { signal, reconsider, runs });
    if (!runs) pause.begin(1);
    await pause.slot?.enter();
    return { type: "replied", ask: known };
  }

  hear(asks: readonly Ask[]): boolean {
    const { journal } = this.#live;
    for (const ask of asks) {
      if (ask.reply === undefined || this.#asks.get(ask.id)?.status !== "open") continue;
      this.#asks.set(ask.id, ask);
      this.#heard.add(ask.id);
      journal.emit(journal.event("ask.replied", { ask, reply: ask.reply }));
      this.#waits.end(ask.id, { type: "replied", ask });
    }
    return asks.every(({ id }) => this.#asks.has(id) || this.#heard.has(id));
  }

  /** Closes an answered ask, and saves the rules of an "always", with what is written in the same breath: the answer is carried out. */
  carryOut(ask: Ask): void {
    this.#close(ask, []);
    if (ask.reply?.decision !== "always") return;
    const rules = [ask, ...(ask.also ?? [])].flatMap(({ permission, always }) => allowRules(permission, always));
    if (rules.length === 0) return;
    this.#live.update({ permission: addRules(this.#live.info.permission, rules) }, "now");
    for (const { ask: other, reconsider } of this.#waits.all) void this.#reconsider(other, reconsider());
  }

  /** Saved rules allow by now what is asked: nobody need answer. */
  allow(ask: Ask): void {
    this.#answer(ask, { decision: "once" });
  }

  /** Closes asks that need no answer any more, with what is written in the same breath. */
  drop(asks: readonly Ask[]): void {
    const { journal } = this.#live;
    for (const ask of asks) {
      if (!this.#asks.has(ask.id)) continue;
      this.#waits.end(ask.id, { type: "closed" });
      const row = this.#asks.get(ask.id) ?? ask;
      this.#close(row, row.status === "open" ? [journal.event("ask.closed", { ask: { ...row, status: "closed" } })] : []);
    }
  }

  suspend(): boolean {
    const { isStill } = this.pause;
    this.#suspending = true;
    this.#waits.endCalls({ type: "suspended" });
    return isStill;
  }

  async #waitForReply(ask: Ask, { signal, reconsider, runs }: Waiting): Promise<Answer> {
    const { pause } = this;
    if (this.#suspending && !runs) return { type: "suspended" };
    // Nobody need be waited for: the store is only told.
    const isOver = !runs && ask.expires !== undefined && ask.expires <= this.#live.context.clock.now();
    // A tool that asks several questions at once is one tool that waits.
    const asksMore = (): boolean => this.#waits.all.some(({ ask: other, isCall }) => !isCall && other.id !== ask.id && other.partID === ask.partID && other.messageID === ask.messageID);
    const ended = (answer: Answer): void => {
      if (runs) {
        if (!asksMore()) pause.releaseTool();
      }
      else if (isOver) pause.settle(answer.type === "replied");
      else if (answer.type === "replied") pause.releaseCall();
      else pause.dropCall();
    };
    const answering = this.#waits.wait(ask, { signal, reconsider, isCall: !runs && !isOver, ended });
    if (runs) {
      if (!asksMore()) pause.holdTool();
    }
    else if (isOver) pause.begin(1);
    else pause.holdCall();
    const answer = await answering;
    if (answer.type === "replied") await pause.slot?.enter();
    return answer;
  }

  #close(ask: Ask, events: Parameters<LiveSession["journal"]["write"]>[1]): void {
    this.#asks.delete(ask.id);
    this.#live.journal.write([{ type: "ask.put", ask: { ...ask, status: "closed" } }], events);
  }

  async #reconsider(ask: Ask, decision: PermissionDecision | Promise<PermissionDecision>): Promise<void> {
    try {
      if ((await decision).action === "allow") this.allow(ask);
    } catch (error) {
      this.#live.context.logger?.({ level: "warn", message: "An ask could not be decided anew; it stays open.", sessionID: ask.sessionID, error });
    }
  }

  /** Replies in the name of nobody. Somebody may have been faster: the store decides. */
  #answer(ask: Ask, reply: AskReply, notBefore = 0): void {
    const live = this.#live;
    // Its time is over by the timer: the clock may have been put back meanwhile.
    const time = Math.max(live.cancelTime(), notBefore);
    live.journal.guarded([{ type: "ask.reply", askID: ask.id, reply, time }], []).then(
      () => this.hear([storedReply(ask, reply, time)]),
      (error: unknown) => {
        const existing = error instanceof ConflictError ? (error.existing as Ask | undefined) : undefined; // The store says so.
        if (existing !== undefined) this.hear([existing]);
        else if (this.#asks.has(ask.id)) this.#fail(error);
      },
    );
  }

  /** The store cannot be reached any more, and nobody would hear of an answer. */
  #fail(error: unknown): void {
    const live = this.#live;
    if (ThroughlineError.isInstance(error)) live.journal.fail(error);
    live.running?.controller.abort(error);
  }
}

/** What "always" saves. A pattern is what was touched, and no wildcard. */
function rulesOf({ always, patterns }: Pick<Question, "always" | "patterns">): string[] {
  return [...(always ?? patterns.map(escapeWildcards))];
}
