import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createXai } from "@ai-sdk/xai";
import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { profileFor } from "../../src/message/profile-for.ts";

const apiKey = "none";
const openai = createOpenAI({ apiKey });

describe("profileFor", () => {
  it.each([
    [createAnthropic({ apiKey })("claude-sonnet-4-5"), "anthropic"],
    [openai.responses("gpt-5"), "openaiResponses"],
    [openai.chat("gpt-4.1"), "openaiChat"],
    [createOpenAICompatible({ name: "local", baseURL: "http://localhost" })("qwen3"), "openaiCompatible"],
    [createOpenAICompatible({ name: "openai-compatible", baseURL: "http://localhost" })("qwen3"), "openaiCompatible"],
    [createOpenAICompatible({ name: "local", baseURL: "http://localhost" })("mistralai/Devstral-Small"), "mistral"],
    [createOpenAICompatible({ name: "deepseek", baseURL: "http://localhost" })("deepseek-chat"), "deepseek"],
    [createGoogleGenerativeAI({ apiKey })("gemini-2.5-pro"), "google"],
    [createGoogleGenerativeAI({ apiKey })("gemini-3-pro-preview"), "gemini3"],
    [createMistral({ apiKey })("mistral-large-latest"), "mistral"],
    [createGroq({ apiKey })("openai/gpt-oss-120b"), "groq"],
    [createXai({ apiKey })("grok-4"), "xai"],
  ] as const)("knows the model objects of the AI SDK packages: %#", (model, name) => {
    expect(profileFor(model)).toBe(modelProfiles[name]);
  });

  it.each([
    ["google.vertex.anthropic.messages", "claude-sonnet-4-5", "anthropicCloud"],
    ["google.vertex.chat", "gemini-3-flash", "gemini3"],
    ["azure.responses", "my-deployment", "openaiResponses"],
    ["azure-openai.chat", "my-deployment", "openaiChat"],
    ["amazon-bedrock", "anthropic.claude-sonnet-4", "bedrock"],
    ["gateway", "anthropic/claude-sonnet-4.5", "anthropic"],
    ["gateway", "google/gemini-3-pro", "gemini3"],
    ["gateway", "unheard/of", "default"],
    ["scripted", "scripted-model", "default"],
    ["", "", "default"],
  ] as const)("knows %s %s", (providerID, modelID, name) => {
    expect(profileFor({ providerID, modelID })).toBe(modelProfiles[name]);
    expect(profileFor({ provider: providerID, modelId: modelID })).toBe(modelProfiles[name]);
  });
});

describe("modelProfiles", () => {
  it("names each profile as it is looked up, and cannot be changed by accident", () => {
    for (const [name, profile] of Object.entries(modelProfiles)) {
      expect(profile.name).toBe(name);
      expect(Object.isFrozen(profile)).toBe(true);
      expect(structuredClone(profile)).toEqual(profile);
    }
  });
});
