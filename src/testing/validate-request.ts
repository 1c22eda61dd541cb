import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { FindingRule } from "../message/finding.ts";
import type { ModelProfile, WireNameRule } from "../message/model-profile.ts";
import { validateModelMessages } from "../message/validate-model-messages.ts";

/** The rules for a whole request: those for messages, and those that only a whole request can break. */
export type RequestRule =
  | FindingRule
  | "system-position"
  | "blank-system"
  | "tool-name"
  | "repeated-tool-name"
  | "tool-schema"
  | "missing-tools"
  | "tool-choice";

/** One broken wire rule. */
export interface RequestFinding {
  rule: RequestRule;
  /** Place in `prompt`; absent when the finding is about the tools or the tool choice. */
  index?: number | undefined;
  /** What is wrong, in words. */
  message: string;
}

type Request = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice">;

/** Checks a whole request: its messages with `validateModelMessages`, its system text, tools and tool choice here. */
export function validateRequest(request: Request, profile: ModelProfile): RequestFinding[] {
  return [
    ...systemFindings(request.prompt),
    ...messageFindings(request.prompt, profile),
    ...toolFindings(request, profile),
    ...missingToolFindings(request, profile),
    ...toolChoiceFindings(request, profile),
  ];
}

function systemFindings(prompt: readonly LanguageModelV4Message[]): RequestFinding[] {
  const head = prompt.findIndex((message) => message.role !== "system");
  return prompt.flatMap((message, index) => {
    if (message.role !== "system") return [];
    const findings: RequestFinding[] = [];
    if (head !== -1 && index > head) {
      findings.push({ rule: "system-position", index, message: "System text stands after the first other message; it may only be at the head." });
    }
    if (message.content.trim() === "") findings.push({ rule: "blank-system", index, message: "The system text is blank." });
    return findings;
  });
}

function messageFindings(prompt: readonly LanguageModelV4Message[], profile: ModelProfile): RequestFinding[] {
  const places = [...prompt.keys()].filter((index) => prompt[index]?.role !== "system");
  const messages = prompt.filter((message) => message.role !== "system");
  // The validator counts without the system messages; the reader of a finding counts with them.
  return validateModelMessages(messages, profile).map((finding) => ({ ...finding, index: places[finding.index] }));
}

function toolFindings({ tools = [] }: Request, { toolName }: ModelProfile): RequestFinding[] {
  const names = new Set<string>();
  return tools.flatMap((tool) => {
    const findings: RequestFinding[] = [];
    if (!isLegal(tool.name, toolName)) {
      const legal = `${toolName.minLength} to ${toolName.maxLength} of the characters ${toolName.alphabet}`;
      findings.push({ rule: "tool-name", message: `The tool name ${JSON.stringify(tool.name)} is not legal: it needs ${legal}.` });
    }
    if (names.has(tool.name)) findings.push({ rule: "repeated-tool-name", message: `Two tools are named "${tool.name}".` });
    if (tool.type === "function" && tool.inputSchema.type !== "object") {
      findings.push({ rule: "tool-schema", message: `The input schema of the tool "${tool.name}" is not of type "object".` });
    }
    names.add(tool.name);
    return findings;
  });
}

function isLegal(name: string, rule: WireNameRule): boolean {
  return name.length >= rule.minLength && name.length <= rule.maxLength && Array.from(name).every((character) => rule.alphabet.includes(character));
}

function missingToolFindings({ prompt, tools = [] }: Request, profile: ModelProfile): RequestFinding[] {
  if (!profile.toolDefinitionsNeeded || tools.length > 0) return [];
  const index = prompt.findIndex((message) => message.role === "assistant" && message.content.some((part) => part.type === "tool-call"));
  return index === -1 ? [] : [{ rule: "missing-tools", index, message: "The history has tool calls, but the request defines no tools." }];
}

function toolChoiceFindings({ tools = [], toolChoice }: Request, { name, toolChoiceNone }: ModelProfile): RequestFinding[] {
  if (toolChoice?.type === "none" && !toolChoiceNone) {
    return [{ rule: "tool-choice", message: `${name} cannot withhold tools by the tool choice "none".` }];
  }
  if (toolChoice?.type === "tool" && !tools.some((tool) => tool.name === toolChoice.toolName)) {
    return [{ rule: "tool-choice", message: `The tool choice names "${toolChoice.toolName}", which is not among the tools.` }];
  }
  if (toolChoice?.type === "required" && tools.length === 0) {
    return [{ rule: "tool-choice", message: "The tool choice demands a call, but the request defines no tools." }];
  }
  return [];
}
