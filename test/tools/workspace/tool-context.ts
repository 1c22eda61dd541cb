import type { JSONValue, ToolContext } from "throughline";

/** What a tool gets that is run without the engine. */
export function toolContext(sessionID = "ses_1"): ToolContext & { state: JSONValue | undefined } {
  return {
    toolCallId: "call_1",
    callID: "call_1",
    messages: [],
    abortSignal: new AbortController().signal,
    context: undefined,
    sessionID,
    metadata: {},
    messageID: "msg_1",
    partID: "prt_1",
    turnID: "msg_0",
    agent: "default",
    state: undefined,
    progress: () => undefined,
    ask: () => Promise.reject(new Error("Nobody can be asked.")),
  };
}
