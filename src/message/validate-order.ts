import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { FindingRule, Report } from "./finding.ts";
import type { ModelProfile } from "./model-profile.ts";

type Role = LanguageModelV4Message["role"];

/** Which roles may follow which. */
export function checkOrder(messages: readonly LanguageModelV4Message[], profile: ModelProfile, report: Report): void {
  if (messages.length === 0) report("empty-request", 0, "The request has no messages.");
  messages.forEach(({ role, content }, index) => {
    if (role === "system") report("system-message", index, "System text stands apart from the messages.");
    if (content.length === 0) report("empty-message", index, `The ${role} message has no content.`);
    else if (profile.alternation && typeof content !== "string" && content.every((part) => part.type === "custom")) {
      report("empty-message", index, `The ${role} message has nothing that ${profile.name} counts as content.`);
    }
    checkPair(messages[index - 1]?.role, role, { profile, report: (rule, text) => report(rule, index, text) });
  });
  if (!profile.trailingAssistant && messages.at(-1)?.role === "assistant") {
    report("last-message", messages.length - 1, "The request ends with an assistant message, which this model refuses.");
  }
}

interface PairCheck {
  profile: ModelProfile;
  report: (rule: FindingRule, message: string) => void;
}

function checkPair(before: Role | undefined, role: Role, { profile, report }: PairCheck): void {
  if (before === undefined && role !== "user") report("first-message", `The first message is of role ${role}, not user.`);
  if (role === "tool" && before !== "assistant") {
    report("tool-message-place", "A tool message must follow the assistant message that made the calls directly.");
  }
  if (profile.alternation && role === before) report("alternation", `Two ${role} messages stand in a row.`);
  if (!profile.userAfterToolResult && role === "user" && before === "tool") {
    report("user-after-tool-result", "A user message may not follow tool results directly.");
  }
}
