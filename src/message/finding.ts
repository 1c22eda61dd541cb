/** The rules that {@link Finding}s name. */
export type FindingRule =
  | "system-message"
  | "empty-request"
  | "empty-message"
  | "first-message"
  | "last-message"
  | "alternation"
  | "user-after-tool-result"
  | "tool-message-place"
  | "call-without-result"
  | "result-without-call"
  | "repeated-result"
  | "result-order"
  | "result-name"
  | "calls-last"
  | "call-id"
  | "repeated-call-id"
  | "call-input"
  | "tool-name"
  | "provider-tool"
  | "approval-without-call"
  | "blank-text"
  | "empty-output"
  | "ill-formed-text"
  | "media"
  | "media-content"
  | "media-size"
  | "media-count"
  | "document-without-text"
  | "reasoning"
  | "reasoning-last"
  | "custom-part";

/** One thing in a request that the provider would refuse. */
export interface Finding {
  rule: FindingRule;
  /** Index of the message; 0 for an empty request. */
  index: number;
  /** What is wrong, for people. */
  message: string;
}

export type Report = (rule: FindingRule, index: number, message: string) => void;
