import type { LanguageModelV4Message, LanguageModelV4ToolCallPart, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { Report } from "./finding.ts";
import type { ModelProfile, WireNameRule } from "./model-profile.ts";

/** Calls, their results, and what belongs to them. */
export function checkCalls(messages: readonly LanguageModelV4Message[], profile: ModelProfile, report: Report): void {
  const ids = new Set<string>();
  const unanswered = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "tool-call") {
          checkCall(part, { profile, ids, report: (rule, text) => report(rule, index, text) });
          if (part.providerExecuted === true) unanswered.add(part.toolCallId);
        } else if (part.type === "tool-result" && !unanswered.delete(part.toolCallId)) {
          report("result-without-call", index, `The result of ${part.toolCallId} has no call that the provider ran before it.`);
        }
      }
      if (profile.providerTools !== "deferred" && !profile.providerApprovals && unanswered.size > 0) {
        report("provider-tool", index, `${profile.name} has no place for a provider's call without its result.`);
      }
      if (profile.callsLast) checkPlace(message.content, index, report);
      checkResults(clientCalls(message), toolResults(messages[index + 1]), (rule, text) => report(rule, index, text));
    }
    if (message.role === "tool") checkToolMessage(messages, index, { profile, report });
  });
}

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

interface CallCheck {
  profile: ModelProfile;
  ids: Set<string>;
  report: (rule: Parameters<Report>[0], message: string) => void;
}

function checkCall(call: LanguageModelV4ToolCallPart, { profile, ids, report }: CallCheck): void {
  const { toolCallId, toolName, input, providerExecuted } = call;
  if (!matches(profile.callID, toolCallId)) report("call-id", `The call id "${toolCallId}" is not legal for ${profile.name}.`);
  if (ids.has(toolCallId)) report("repeated-call-id", `The call id "${toolCallId}" occurs twice.`);
  ids.add(toolCallId);
  if (!isObject(input) && !(profile.textInput && typeof input === "string")) {
    report("call-input", `The input of ${toolCallId} is no object.`);
  }
  if (providerExecuted === true) {
    if (profile.providerTools === "none") report("provider-tool", `${profile.name} has no place for ${toolCallId}, a call that a provider ran.`);
  } else if (!matches(profile.toolName, toolName)) {
    report("tool-name", `The tool name "${toolName}" is not legal for ${profile.name}.`);
  }
}

/** Between a call and its result there is nothing, but for parts whose place a signature fixes, and further calls. */
function checkPlace(content: AssistantPart[], index: number, report: Report): void {
  let isOpen = false;
  for (const part of content) {
    const place = placeOf(part);
    if (place === "free" && isOpen) report("calls-last", index, `A ${part.type} part follows a call that waits for its result.`);
    if (place !== "free") isOpen = place === "call";
  }
  const places = content.map(placeOf);
  if (places.includes("call") && places.at(-1) === "bound") report("calls-last", index, "The calls are not at the end of the message.");
}

function placeOf(part: AssistantPart): "call" | "bound" | "free" {
  if (part.type === "tool-call" && part.providerExecuted !== true) return "call";
  const isReasoning = part.type === "reasoning" || part.type === "reasoning-file";
  return part.type === "custom" || (isReasoning && part.providerOptions !== undefined) ? "bound" : "free";
}

function checkResults(
  calls: readonly LanguageModelV4ToolCallPart[],
  results: readonly LanguageModelV4ToolResultPart[],
  report: CallCheck["report"],
): void {
  for (const call of calls) {
    const own = results.filter((result) => result.toolCallId === call.toolCallId);
    if (own.length === 0) report("call-without-result", `The call ${call.toolCallId} has no result directly after it.`);
    if (own.length > 1) report("repeated-result", `The call ${call.toolCallId} has ${own.length} results.`);
    if (own.some((result) => result.toolName !== call.toolName)) {
      report("result-name", `The result of ${call.toolCallId} does not name its tool "${call.toolName}".`);
    }
  }
  const order = results.map((result) => calls.findIndex((call) => call.toolCallId === result.toolCallId)).filter((place) => place >= 0);
  if (order.some((place, index) => place < (order[index - 1] ?? 0))) report("result-order", "The results do not stand in the order of the calls.");
}

function checkToolMessage(
  messages: readonly LanguageModelV4Message[],
  index: number,
  { profile, report }: { profile: ModelProfile; report: Report },
): void {
  const calls = new Set(clientCalls(messages[index - 1]).map((call) => call.toolCallId));
  for (const result of toolResults(messages[index])) {
    if (!calls.has(result.toolCallId)) report("result-without-call", index, `The result of ${result.toolCallId} has no call directly before it.`);
  }
  const approvals = messages[index]?.role === "tool" && messages[index].content.some((part) => part.type === "tool-approval-response");
  if (approvals && !(profile.providerApprovals && hasProviderCall(messages[index - 1]))) {
    report("approval-without-call", index, "An answer to a request for leave has no call of the provider before it, or no place at all.");
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function clientCalls(message: LanguageModelV4Message | undefined): LanguageModelV4ToolCallPart[] {
  if (message?.role !== "assistant") return [];
  return message.content.filter((part) => part.type === "tool-call").filter((call) => call.providerExecuted !== true);
}

function hasProviderCall(message: LanguageModelV4Message | undefined): boolean {
  return message?.role === "assistant" && message.content.some((part) => part.type === "tool-call" && part.providerExecuted === true);
}

function toolResults(message: LanguageModelV4Message | undefined): LanguageModelV4ToolResultPart[] {
  return message?.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : [];
}

function matches({ alphabet, minLength, maxLength }: WireNameRule, name: string): boolean {
  const isShort = name.length >= minLength && name.length <= maxLength;
  return isShort && Array.from(name).every((character) => alphabet.includes(character));
}
