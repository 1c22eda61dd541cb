import type { JSONObject, JSONValue } from "./json.ts";

/** A question to a person that a tool call waits for. A row: it can be answered from any process and survives a restart. */
export interface Ask {
  id: string;
  sessionID: string;
  rootID: string;
  messageID: string;
  partID: string;
  callID: string;
  permission: string;
  /** What is asked for. */
  patterns: string[];
  /** The rules that "always" would save. */
  always: string[];
  tool: string;
  /** The exact input that the answer is bound to. */
  input: JSONObject;
  title: string;
  impact?: string | undefined;
  diff?: string | undefined;
  /** Why it is asked, where that is not for the lack of a rule: in words, for people. */
  reason?: string | undefined;
  /** Further leave that is asked for with it: the answer is for all of it. */
  also?: { permission: string; patterns: string[]; always: string[] }[] | undefined;
  /** Milliseconds since the epoch after which it counts as rejected. */
  expires?: number | undefined;
  status: "open" | "replied" | "closed";
  reply?: AskReply | undefined;
  time: { created: number; replied?: number | undefined };
}

export type AskReply =
  | { decision: "once" | "always" }
  | { decision: "reject"; message?: string | undefined }
  | { decision: "answer"; answers: JSONValue };
