import type { JSONValue } from "../../message/json.ts";
import { redefine } from "../../util/lazy-signal.ts";
import { keptState } from "./kept-state.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** Where the contexts of a call have from what few of them are asked for. */
export const sourceKey: unique symbol = Symbol("throughline.source");

export interface CallSource {
  tool: string;
  messageID: string;
  environment: Pick<ToolEnvironment, "history" | "messages">;
}

/** What the call's tool has kept, looked up when somebody reads it. One accessor for all contexts, as in `LazySignal`. */
export const state = {
  enumerable: true,
  configurable: true,
  get(this: { readonly [sourceKey]: CallSource }): JSONValue | undefined {
    const { tool, messageID, environment } = this[sourceKey];
    const found = keptState(tool, messageID, environment.history);
    // Read again, it is the same object: a tool may change it.
    redefine(this, "state", found);
    return found;
  },
  set(this: object, value: unknown): void {
    redefine(this, "state", value);
  },
};
