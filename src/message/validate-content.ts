import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { FindingRule, Report } from "./finding.ts";
import type { MediaRule, ModelProfile } from "./model-profile.ts";
import { checkMedium } from "./validate-media.ts";

type AnyPart = Exclude<LanguageModelV4Message, { role: "system" }>["content"][number];
type ReportPart = (rule: FindingRule, message: string) => void;

/** What stands in the messages: text, media, reasoning, outputs. */
export function checkContent(messages: readonly LanguageModelV4Message[], profile: ModelProfile, report: Report): void {
  messages.forEach((message, index) => {
    const reportPart: ReportPart = (rule, text) => report(rule, index, text);
    if (message.role !== "system") {
      const rule = message.role === "user" ? profile.userMedia : profile.assistantMedia;
      for (const part of message.content) checkPart(part, { profile, media: rule, report: reportPart });
      const last = message.content.at(-1);
      if (last?.type === "reasoning" || last?.type === "reasoning-file") {
        report("reasoning-last", index, "The message ends with reasoning that leads to nothing.");
      }
    }
    if (!isWellFormed(message)) report("ill-formed-text", index, "A string holds half of a surrogate pair.");
  });
}

interface PartCheck {
  profile: ModelProfile;
  /** The rule for media in this place. */
  media: MediaRule;
  report: ReportPart;
}

function checkPart(part: AnyPart, { profile, media, report }: PartCheck): void {
  switch (part.type) {
    case "text": {
      const isExcused = profile.blankText === "with-metadata" && part.providerOptions !== undefined;
      if (isBlank(part.text) && !isExcused) report("blank-text", "A text is blank.");
      return;
    }
    case "file":
    case "reasoning-file":
      checkMedium(part, media, { limits: profile.mediaLimits, report });
      return;
    case "reasoning":
      if (profile.ownReasoning === "drop") report("reasoning", `${profile.name} takes no reasoning back.`);
      if (profile.ownReasoning === "signed" && part.providerOptions === undefined) report("reasoning", "Reasoning has lost its signature.");
      return;
    case "tool-result":
      checkOutput(part.output, { profile, media: profile.toolResultMedia, report });
      return;
    case "custom":
      if (!profile.customParts) report("custom-part", `${profile.name} has no place for a part of kind ${part.kind}.`);
      return;
    default:
  }
}

function checkOutput(output: LanguageModelV4ToolResultOutput, { profile, media, report }: PartCheck): void {
  if ((output.type === "text" || output.type === "error-text") && isBlank(output.value)) report("empty-output", "A result is blank.");
  if (output.type !== "content") return;
  if (output.value.length === 0) report("empty-output", "A result has no content.");
  for (const item of output.value) {
    if (item.type === "text" && isBlank(item.text)) report("blank-text", "A text in a result is blank.");
    if (item.type === "file") checkMedium(item, media, { limits: profile.mediaLimits, report });
    if (item.type === "custom" && !profile.customParts) report("custom-part", `${profile.name} has no place for a custom item in a result.`);
  }
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof URL) return true;
  return Object.entries(value).every(([key, inner]) => isWellFormed(key) && isWellFormed(inner));
}
