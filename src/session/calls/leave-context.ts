import type { JSONValue } from "../../message/json.ts";
import type { PermissionContext } from "../../tools/tool-context.ts";
import type { StreamedCall } from "../step/call-fold.ts";
import { sourceKey, state, type CallSource } from "./call-source.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What a tool's `permission()` and `locks()` know of the call. */
export class LeaveContext implements PermissionContext {
  declare readonly [sourceKey]: CallSource;
  readonly sessionID: string;
  readonly directory: string | undefined;
  readonly agent: string;
  readonly abortSignal: AbortSignal;
  declare readonly state: JSONValue | undefined;

  constructor(tool: string, call: StreamedCall, environment: ToolEnvironment) {
    this.sessionID = environment.sessionID;
    this.directory = environment.directory;
    this.agent = environment.agent;
    this.abortSignal = environment.turnSignal ?? new AbortController().signal;
    const source: CallSource = { tool, messageID: call.part.messageID, environment };
    Object.defineProperty(this, sourceKey, { value: source });
    Object.defineProperty(this, "state", state);
  }
}
