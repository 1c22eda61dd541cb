import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Reasoning,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";

type Block = LanguageModelV4Text | LanguageModelV4Reasoning;

/**
 * Drains a stream into the result that `doGenerate` gives, so that a reply is written once for both ways of calling.
 *
 * @throws what the stream fails with, or the first error part
 */
export async function collectResult(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4GenerateResult> {
  const blocks = new Map<string, Block>();
  // What a stream without a finish part comes to, as in the AI SDK.
  const result: LanguageModelV4GenerateResult = {
    content: [],
    finishReason: { unified: "other", raw: undefined },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (isStart(part)) result.content.push(openBlock(part, blocks));
    else if (isContent(part)) result.content.push(part);
    else if (isContinuation(part)) continueBlock(part, blocks);
    else addDetails(result, part);
  }
  return result;
}

type Start = Extract<LanguageModelV4StreamPart, { type: "text-start" | "reasoning-start" }>;
type Continuation = Extract<LanguageModelV4StreamPart, { type: "text-delta" | "reasoning-delta" | "text-end" | "reasoning-end" }>;

/** Parts that are whole pieces of content as they come. */
const contentTypes: readonly string[] = ["tool-call", "tool-result", "tool-approval-request", "file", "reasoning-file", "source", "custom"];
const continuationTypes: readonly string[] = ["text-delta", "reasoning-delta", "text-end", "reasoning-end"];

function isStart(part: LanguageModelV4StreamPart): part is Start {
  return part.type === "text-start" || part.type === "reasoning-start";
}

function isContent(part: LanguageModelV4StreamPart): part is Extract<LanguageModelV4StreamPart, LanguageModelV4Content> {
  return contentTypes.includes(part.type);
}

function isContinuation(part: LanguageModelV4StreamPart): part is Continuation {
  return continuationTypes.includes(part.type);
}

function openBlock(part: Start, blocks: Map<string, Block>): Block {
  const block: Block = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
  addMetadata(block, part.providerMetadata);
  blocks.set(part.id, block);
  return block;
}

function continueBlock(part: Continuation, blocks: Map<string, Block>): void {
  const block = blocks.get(part.id);
  if (block === undefined) return;
  if ("delta" in part) block.text += part.delta;
  addMetadata(block, part.providerMetadata);
}

function addDetails(result: LanguageModelV4GenerateResult, part: LanguageModelV4StreamPart): void {
  if (part.type === "stream-start") {
    result.warnings = part.warnings;
  } else if (part.type === "response-metadata") {
    const { type: _type, ...response } = part;
    result.response = response;
  } else if (part.type === "finish") {
    result.finishReason = part.finishReason;
    result.usage = part.usage;
    if (part.providerMetadata !== undefined) result.providerMetadata = part.providerMetadata;
  }
}

function addMetadata(block: Block, metadata: SharedV4ProviderMetadata | undefined): void {
  if (metadata === undefined) return;
  const merged = { ...block.providerMetadata };
  for (const [provider, data] of Object.entries(metadata)) merged[provider] = { ...merged[provider], ...data };
  block.providerMetadata = merged;
}
