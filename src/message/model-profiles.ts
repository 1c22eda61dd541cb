import { deepFreeze } from "../util/deep-freeze.ts";
import type { MediaLimits, MediaRule, ModelProfile, WireNameRule } from "./model-profile.ts";

export type ModelProfileName =
  | "anthropic"
  | "anthropicCloud"
  | "openaiResponses"
  | "openaiChat"
  | "openaiCompatible"
  | "openaiCompatibleLenient"
  | "google"
  | "gemini3"
  | "mistral"
  | "groq"
  | "xai"
  | "bedrock"
  | "bedrockUncached"
  | "deepseek"
  | "default";

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const word = `${alphanumeric}_-`;

const names = (maxLength: number): WireNameRule => ({ alphabet: word, minLength: 1, maxLength });

const pngOrJpeg = ["image/png", "image/jpeg"];
const images = [...pngOrJpeg, "image/gif", "image/webp"];
const documents = [...images, "application/pdf"];
const geminiImages = [...pngOrJpeg, "image/webp"];
const geminiMedia = [...geminiImages, "image/heic", "image/heif", "application/pdf", "audio/*", "video/*"];
const media = (inline: string[], urls: string[] = []): MediaRule => ({ inline, urls });
const none = media([]);

const megabyte = 1_000_000;

/** Sizes in megabytes: of an image, of another medium, and of all of a request as base64, with room left for its text. */
const limits = (count: number, documentCount: number, [image, document, total]: [number, number, number]): MediaLimits => ({
  count,
  documents: documentCount,
  imageBytes: image * megabyte,
  documentBytes: document * megabyte,
  totalCharacters: total * megabyte,
});

/** What every known provider accepts; each profile below says only where its provider differs. */
const strict: ModelProfile = {
  name: "default",
  callID: names(40),
  toolName: names(64),
  userMedia: media(images),
  toolResultMedia: none,
  assistantMedia: none,
  mediaLimits: limits(5, 5, [2.5, 2.5, 3.5]),
  documentsNeedText: false,
  blankText: "refused",
  textsJoined: false,
  alternation: true,
  // Where it is accepted, some models continue the text and others answer it: no request depends on it.
  trailingAssistant: false,
  userAfterToolResult: true,
  callsLast: true,
  ownReasoning: "any",
  foreignReasoning: "drop",
  providerTools: "none",
  providerApprovals: false,
  textInput: false,
  customParts: false,
  toolDefinitionsNeeded: true,
  toolChoiceNone: true,
  cacheMark: undefined,
};

// Messages API: ids `^[a-zA-Z0-9_-]+$`, "text content blocks must be non-empty", "content blocks must contain
// non-whitespace text", tool names up to 128; thinking needs its signature or its redacted data. Media in results are
// native (@ai-sdk/anthropic). Newer Claude models refuse prefill. Vision guide: with more than 20 images in a request each
// may have 2000 px only, and an image 5 MB of base64; a request 32 MB. Prompt caching: at most four breakpoints.
const anthropic: ModelProfile = {
  ...strict,
  name: "anthropic",
  callID: names(64),
  toolName: names(128),
  userMedia: media(documents, documents),
  toolResultMedia: media(documents, documents),
  mediaLimits: limits(20, 20, [3.75, 18, 24]),
  ownReasoning: "signed",
  providerTools: "deferred",
  customParts: true,
  cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
};

// Gemini API up to 2.5: results carry no media (@ai-sdk/google would drop the result). A signature can stand on an empty
// text part, and is bound to its place among the parts. Assistant media must be inline. @ai-sdk/google makes an empty
// message of custom parts, and an ordinary call of a provider's call without a result. "3,600 images per request", and a
// request with inline data may have 20 MB.
const google: ModelProfile = {
  ...strict,
  name: "google",
  callID: names(64),
  userMedia: media(geminiMedia),
  assistantMedia: media(["image/*", "audio/*", "video/*"]),
  mediaLimits: limits(3000, 1000, [12, 12, 16]),
  blankText: "with-metadata",
  alternation: false,
  callsLast: false,
  providerTools: "with-result",
  toolDefinitionsNeeded: false,
};

// Converse API: ids `[a-zA-Z0-9_-]{1,64}`, roles alternate, `toolConfig` is needed once the history has toolUse blocks, no
// blank text, no URLs. Reasoning needs its signature. Message: up to 20 images of 3.75 MB and five documents of 4.5 MB; a
// document needs a text block beside it. With tool choice none @ai-sdk/amazon-bedrock takes all calls and results out of
// the history.
const bedrock: ModelProfile = {
  ...strict,
  name: "bedrock",
  callID: names(64),
  userMedia: media(documents),
  toolResultMedia: media(documents),
  mediaLimits: limits(20, 5, [3.75, 4.5, 18]),
  documentsNeedText: true,
  ownReasoning: "signed",
  toolChoiceNone: false,
  cacheMark: { bedrock: { cachePoint: { type: "default" } } },
};

/**
 * The wire rules of the known providers. Sources: each provider's API reference, and what its AI SDK package does with
 * a prompt (its `convert-to-*` file).
 */
export const modelProfiles: Readonly<Record<ModelProfileName, ModelProfile>> = deepFreeze({
  anthropic,
  // On Vertex and Bedrock: "only base64-encoded sources are currently available", and requests of 20 MB (InvokeModel).
  anthropicCloud: {
    ...anthropic,
    name: "anthropicCloud",
    userMedia: media(documents),
    toolResultMedia: media(documents),
    mediaLimits: limits(20, 20, [3.75, 10, 14]),
  },
  // Responses API: `call_id` up to 64, tool names `^[a-zA-Z0-9_-]+$` up to 64; media in function_call_output. Reasoning
  // items come back by id or with encrypted content, and must be followed by the item they led to; an empty text may be a
  // stored item that reasoning refers to. 500 images, and 50 MB of images or files, in a request.
  openaiResponses: {
    ...strict,
    name: "openaiResponses",
    callID: names(64),
    userMedia: media(documents, documents),
    toolResultMedia: media(documents, documents),
    mediaLimits: limits(500, 500, [20, 30, 45]),
    blankText: "with-metadata",
    alternation: false,
    callsLast: false,
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
  // base64 into the text, joins the texts of an assistant message, and throws on a PDF by URL.
  openaiChat: {
    ...strict,
    name: "openaiChat",
    userMedia: media(documents, images),
    mediaLimits: limits(500, 500, [20, 30, 45]),
    textsJoined: true,
    alternation: false,
    ownReasoning: "drop",
    toolDefinitionsNeeded: false,
  },
  // Servers differ; chat templates of open models refuse roles that do not alternate, and proxies such as LiteLLM
  // demand tool definitions once the history has calls. Reasoning goes out as `reasoning_content`, texts of an assistant
  // message joined.
  openaiCompatible: { ...strict, name: "openaiCompatible", userMedia: media(images, images), textsJoined: true },
  // Hosted services that stand before the templates and mend what those refuse.
  openaiCompatibleLenient: {
    ...strict,
    name: "openaiCompatibleLenient",
    userMedia: media(images, images),
    mediaLimits: limits(20, 20, [10, 10, 16]),
    textsJoined: true,
    alternation: false,
    toolDefinitionsNeeded: false,
  },
  google,
  // As before, but function responses have media parts (Gemini 3 guide, "multimodal function responses").
  gemini3: { ...google, name: "gemini3", toolResultMedia: media([...geminiImages, "application/pdf"]) },
  // "Tool call id must be a-z, A-Z, 0-9, with a length of 9"; "Unexpected role 'user' after role 'tool'". Eight images of
  // 10 MB in a request. @ai-sdk/mistral throws on any assistant part but text, reasoning and calls.
  mistral: {
    ...strict,
    name: "mistral",
    callID: { alphabet: alphanumeric, minLength: 9, maxLength: 9 },
    userMedia: media(documents, documents),
    mediaLimits: limits(8, 8, [10, 20, 30]),
    textsJoined: true,
    userAfterToolResult: false,
    toolDefinitionsNeeded: false,
  },
  // Five images in a request, and 4 MB of base64. @ai-sdk/groq throws on files that are no images, and returns reasoning
  // of tool turns as `reasoning`.
  groq: { ...strict, name: "groq", userMedia: media(images, images), textsJoined: true, alternation: false, toolDefinitionsNeeded: false },
  // Responses API of xAI: @ai-sdk/xai returns reasoning only with its id or encrypted content, takes images in results,
  // loses documents in them, and throws on inline documents of the user. PNG and JPEG of 20 MiB, without a limit of number.
  xai: {
    ...strict,
    name: "xai",
    callID: names(64),
    userMedia: media(pngOrJpeg, [...pngOrJpeg, "application/pdf"]),
    toolResultMedia: media(pngOrJpeg, pngOrJpeg),
    mediaLimits: limits(1000, 1000, [20, 20, 40]),
    alternation: false,
    callsLast: false,
    ownReasoning: "signed",
    providerTools: "deferred",
    toolDefinitionsNeeded: false,
  },
  bedrock,
  // Where the model has no prompt caching, a cache point is refused.
  bedrockUncached: { ...bedrock, name: "bedrockUncached", cacheMark: undefined },
  // Text only. "does not support successive user or assistant messages"; wants `reasoning_content` back in tool turns.
  // @ai-sdk/deepseek joins the texts of a message, and makes up for reasoning that is missing.
  deepseek: { ...strict, name: "deepseek", userMedia: none, textsJoined: true, toolDefinitionsNeeded: false },
  // For models that nothing is known about.
  default: strict,
});
