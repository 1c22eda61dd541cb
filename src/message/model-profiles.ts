import { deepFreeze } from "../util/deep-freeze.ts";
import type { MediaRule, ModelProfile, WireNameRule } from "./model-profile.ts";

export type ModelProfileName =
  | "anthropic"
  | "openaiResponses"
  | "openaiChat"
  | "openaiCompatible"
  | "google"
  | "gemini3"
  | "mistral"
  | "groq"
  | "xai"
  | "bedrock"
  | "deepseek"
  | "default";

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const word = `${alphanumeric}_-`;

const names = (maxLength: number): WireNameRule => ({ alphabet: word, minLength: 1, maxLength });

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const documents = [...images, "application/pdf"];
const media = (inline: string[], urls: string[] = []): MediaRule => ({ inline, urls });
const none = media([]);

/** What every known provider accepts; each profile below says only where its provider differs. */
const strict: ModelProfile = {
  name: "default",
  callID: names(40),
  toolName: names(64),
  userMedia: media(images),
  toolResultMedia: none,
  assistantMedia: none,
  blankText: "refused",
  alternation: true,
  // Where it is accepted, some models continue the text and others answer it: no request depends on it.
  trailingAssistant: false,
  userAfterToolResult: true,
  ownReasoning: "any",
  foreignReasoning: "drop",
  providerTools: "none",
  providerApprovals: false,
  textInput: false,
  customParts: false,
  toolDefinitionsNeeded: true,
};

/**
 * The wire rules of the known providers. Sources: each provider's API reference, and what its AI SDK package does with
 * a prompt (its `convert-to-*` file).
 */
export const modelProfiles: Readonly<Record<ModelProfileName, ModelProfile>> = deepFreeze({
  // Messages API: ids `^[a-zA-Z0-9_-]+$`, "text content blocks must be non-empty", "content blocks must contain
  // non-whitespace text", tool names up to 128; thinking needs its signature or its redacted data. Media in results are
  // native (@ai-sdk/anthropic). Newer Claude models refuse prefill.
  anthropic: {
    ...strict,
    name: "anthropic",
    callID: names(64),
    toolName: names(128),
    userMedia: media(documents, documents),
    toolResultMedia: media(documents, documents),
    ownReasoning: "signed",
    providerTools: "deferred",
    customParts: true,
  },
  // Responses API: `call_id` up to 64, tool names `^[a-zA-Z0-9_-]+$` up to 64; media in function_call_output. Reasoning
  // items come back by id or with encrypted content; an empty text may be a stored item that reasoning refers to.
  openaiResponses: {
    ...strict,
    name: "openaiResponses",
    callID: names(64),
    userMedia: media(documents, documents),
    toolResultMedia: media(documents, documents),
    blankText: "with-metadata",
    alternation: false,
    ownReasoning: "signed",
    providerTools: "deferred",
    // MCP approval requests.
    providerApprovals: true,
    // "Custom tools".
    textInput: true,
    customParts: true,
    toolDefinitionsNeeded: false,
  },
  // Chat completions: `tool_call_id` up to 40. @ai-sdk/openai never sends reasoning here, puts media of results as
  // base64 into the text, and throws on a PDF by URL.
  openaiChat: {
    ...strict,
    name: "openaiChat",
    userMedia: media(documents, images),
    alternation: false,
    ownReasoning: "drop",
    toolDefinitionsNeeded: false,
  },
  // Servers differ; chat templates of open models refuse roles that do not alternate, and proxies such as LiteLLM
  // demand tool definitions once the history has calls. Reasoning goes out as `reasoning_content`.
  openaiCompatible: { ...strict, name: "openaiCompatible", userMedia: media(images, images) },
  // Gemini API up to 2.5: results carry no media (@ai-sdk/google would drop the result). A signature can stand on an
  // empty text part. Assistant media must be inline. @ai-sdk/google makes an empty message of custom parts, and an
  // ordinary call of a provider's call without a result.
  google: {
    ...strict,
    name: "google",
    callID: names(64),
    userMedia: media(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "application/pdf", "audio/*", "video/*"]),
    assistantMedia: media(["image/*", "audio/*", "video/*"]),
    blankText: "with-metadata",
    alternation: false,
    providerTools: "with-result",
    toolDefinitionsNeeded: false,
  },
  // As before, but function responses have media parts (Gemini 3 guide, "multimodal function responses").
  gemini3: {
    ...strict,
    name: "gemini3",
    callID: names(64),
    userMedia: media(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "application/pdf", "audio/*", "video/*"]),
    toolResultMedia: media(["image/png", "image/jpeg", "image/webp", "application/pdf"]),
    assistantMedia: media(["image/*", "audio/*", "video/*"]),
    blankText: "with-metadata",
    alternation: false,
    providerTools: "with-result",
    toolDefinitionsNeeded: false,
  },
  // "Tool call id must be a-z, A-Z, 0-9, with a length of 9"; "Unexpected role 'user' after role 'tool'".
  // @ai-sdk/mistral throws on any assistant part but text, reasoning and calls.
  mistral: {
    ...strict,
    name: "mistral",
    callID: { alphabet: alphanumeric, minLength: 9, maxLength: 9 },
    userMedia: media(documents, documents),
    userAfterToolResult: false,
    toolDefinitionsNeeded: false,
  },
  // @ai-sdk/groq throws on files that are no images, and returns reasoning of tool turns as `reasoning`.
  groq: { ...strict, name: "groq", userMedia: media(images, images), alternation: false, toolDefinitionsNeeded: false },
  // Responses API of xAI: @ai-sdk/xai returns reasoning only with its id or encrypted content, takes images in results,
  // loses documents in them, and throws on inline documents of the user.
  xai: {
    ...strict,
    name: "xai",
    callID: names(64),
    userMedia: media(images, documents),
    toolResultMedia: media(images, images),
    alternation: false,
    ownReasoning: "signed",
    providerTools: "deferred",
    toolDefinitionsNeeded: false,
  },
  // Converse API: ids `[a-zA-Z0-9_-]{1,64}`, roles alternate, `toolConfig` is needed once the history has toolUse
  // blocks, no blank text, no URLs. Reasoning needs its signature.
  bedrock: {
    ...strict,
    name: "bedrock",
    callID: names(64),
    userMedia: media(documents),
    toolResultMedia: media(documents),
    ownReasoning: "signed",
  },
  // Text only. "does not support successive user or assistant messages"; wants `reasoning_content` back in tool turns.
  deepseek: { ...strict, name: "deepseek", userMedia: none, toolDefinitionsNeeded: false },
  // For models that nothing is known about.
  default: strict,
});
