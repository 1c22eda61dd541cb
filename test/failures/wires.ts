import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";

/** A provider's package, and what its server says. */
export interface Wire {
  name: string;
  model(baseURL: string): LanguageModelV4;
  /** The events of an answer "Hello!": the first two end behind "Hel". */
  hello: readonly string[];
  /** The body of a refusal. */
  refusal(message: string): string;
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const openaiCompatible: Wire = {
  name: "openai-compatible",
  model: (baseURL) => createOpenAICompatible({ name: "acme", baseURL })("m"),
  hello: [chunk({ role: "assistant", content: "" }), chunk({ content: "Hel" }), chunk({ content: "lo!" }), chunk({}, "stop"), "data: [DONE]\n\n"],
  refusal: (message) => JSON.stringify({ error: { message, type: "error", code: null } }),
};

const event = (data: { type: string; [field: string]: unknown }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const delta = (text: string): string => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const message = { id: "m1", type: "message", role: "assistant", content: [], model: "m", stop_reason: null, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } };

const anthropic: Wire = {
  name: "anthropic",
  model: (baseURL) => createAnthropic({ baseURL, apiKey: "none" })("m"),
  hello: [
    event({ type: "message_start", message }) + event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    delta("Hel"),
    delta("lo!"),
    event({ type: "content_block_stop", index: 0 }) + event({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 5 } }),
    event({ type: "message_stop" }),
  ],
  refusal: (text) => JSON.stringify({ type: "error", error: { type: "api_error", message: text } }),
};

export const wires: readonly Wire[] = [openaiCompatible, anthropic];
