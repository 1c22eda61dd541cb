import type { JSONObject } from "../../message/json.ts";
import type { ToolContext } from "../../tools/tool-context.ts";
import type { LazyAbortController } from "../../util/lazy-abort-controller.ts";
import { LazySignal, redefine } from "../../util/lazy-signal.ts";
import { sourceKey, state, type CallSource } from "./call-source.ts";
import { copyMessages } from "./copy-messages.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What one call's tool gets with its input. */
export class CallContext extends LazySignal implements ToolContext {
  declare readonly [sourceKey]: CallSource;
  readonly toolCallId: string;
  readonly callID: string;
  declare messages: ToolContext["messages"];
  readonly context: unknown = undefined;
  declare state: ToolContext["state"];
  readonly sessionID: string;
  readonly directory: string | undefined;
  readonly metadata: JSONObject;
  readonly messageID: string;
  readonly partID: string;
  readonly turnID: string;
  readonly agent: string;
  readonly progress: ToolContext["progress"];
  readonly ask: ToolContext["ask"];

  constructor(ready: ReadyCall, abort: LazyAbortController, { progress, ask }: Pick<ToolContext, "progress" | "ask">, environment: ToolEnvironment) {
    super(abort);
    const { part } = ready.call;
    this.toolCallId = part.callID;
    this.callID = part.callID;
    this.sessionID = part.sessionID;
    this.directory = environment.directory;
    this.metadata = environment.metadata;
    this.messageID = part.messageID;
    this.partID = part.id;
    this.turnID = environment.turnID;
    this.agent = environment.agent;
    this.progress = progress;
    this.ask = ask;
    const source: CallSource = { tool: ready.tool.name, messageID: part.messageID, environment };
    Object.defineProperty(this, sourceKey, { value: source });
    Object.defineProperty(this, "state", state);
    Object.defineProperty(this, "messages", messages);
  }
}

/** One accessor for all contexts, as in {@link LazySignal}. */
const messages = {
  enumerable: true,
  configurable: true,
  get(this: CallContext): ToolContext["messages"] {
    return copyMessages(this[sourceKey].environment.messages);
  },
  set(this: CallContext, value: ToolContext["messages"]): void {
    redefine(this, "messages", value);
  },
};
