import { anthropic, createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI, openai } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defineTool, type AnyTool } from "throughline";
import type { Recording } from "./recordings.ts";

/** The real provider's package, with the recording behind its `fetch`. */
export function recordedModel({ provider, dialect, modelID }: Recording, fetch: typeof globalThis.fetch): LanguageModelV4 {
  const settings = { apiKey: "none", fetch };
  switch (dialect) {
    case "anthropic":
      return createAnthropic(settings)(modelID);
    case "responses":
      return createOpenAI(settings).responses(modelID);
    case "google":
      return createGoogleGenerativeAI(settings)(modelID);
    case "chat":
      if (provider === "openai") return createOpenAI(settings).chat(modelID);
      if (provider === "groq") return createGroq(settings)(modelID);
      if (provider === "mistral") return createMistral(settings)(modelID);
      return createOpenAICompatible({ ...settings, name: provider, baseURL: "https://example.test" })(modelID);
  }
}

const anyInput = { type: "object" } as const;

/** The tools that the recorded conversation had: those that it calls, and those that its provider runs. */
export function recordedTools(recording: Recording, names: readonly string[]): Record<string, AnyTool> {
  // Each answer is another one, as of dice: what comes to the same again and again is a repetition.
  let answered = 0;
  const own = names.map((name): [string, AnyTool] => [name, defineTool({ description: "Answers.", input: anyInput, execute: () => ({ answer: 42, count: (answered += 1) }) })]);
  return { ...Object.fromEntries(own), ...providerTools(recording.answers.flat().join("\n")) };
}

function providerTools(lines: string): Record<string, AnyTool> {
  const customTool = /"type":"custom_tool_call".*?"name":"(\w+)"/.exec(lines)?.[1];
  return {
    ...(lines.includes('"web_search_tool_result"') && { web_search: anthropic.tools.webSearch_20250305({}) }),
    ...(lines.includes('"code_execution_20250825"') && { code_execution: anthropic.tools.codeExecution_20250825({}) }),
    ...(lines.includes('"bash_code_execution"') && { code_execution: anthropic.tools.codeExecution_20260120({}) }),
    ...(lines.includes('"web_search_call"') && { web_search: openai.tools.webSearch({}) }),
    ...(lines.includes('"mcp_approval_request"') && { mcp: openai.tools.mcp({ serverLabel: "zip1", serverUrl: "https://example.test/mcp", requireApproval: "always" }) }),
    ...(customTool !== undefined && { [customTool]: openai.tools.customTool({ description: "Answers.", execute: (query: string) => ({ rows: [query] }) }) }),
  };
}
