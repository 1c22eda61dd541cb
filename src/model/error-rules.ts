import type { MessageErrorCode } from "../message/message-error.ts";

/**
 * How providers name and word their failures: data for `classifyError`. Each rule says whose it is; what has no other
 * source is in the provider's documentation of errors. Patterns run over bounded texts and have no nested repetition.
 */
type Rule = readonly [code: MessageErrorCode, pattern: RegExp];

/** Codes that leave no doubt, in this order. Compared in snake case, as a whole. */
export const specificCodes: readonly Rule[] = [
  // OpenAI and compatible servers; Anthropic (413); llama.cpp; ds4 (antirez/ds4#150); z.ai, as an error; the last is LiteLLM's name
  ["overflow", /^(?:context_length_exceeded|request_too_large|exceed_context_size_error|context_exceeded|model_context_window_exceeded|context_window_exceeded_error)$/],
  // OpenAI; ChatGPT plans; DeepSeek; OpenRouter; Anthropic (`billing_error`); Bedrock; OpenCode Zen
  ["quota", /^(?:insufficient_(?:quota|balance|credits|funds)|usage_limit_reached|usage_not_included|billing_(?:error|hard_limit_reached|not_active)|payment_required|service_quota_exceeded_exception|(?:free|go)_usage_limit_error)$/],
  // OpenAI; Azure (`innererror`); DashScope
  ["content-filter", /^(?:content_filter|content_policy_violation|responsible_aipolicy_violation|data_inspection_failed)$/],
  // OpenAI; Google (`reason`); Anthropic and the AI SDK's gateway; Bedrock
  ["auth", /^(?:invalid_api_key|api_key_invalid|authentication_error|permission_error|unauthenticated|permission_denied|access_denied_exception|unrecognized_client_exception|expired_token_exception|gateway_authentication_error|ai_load_apikey_error)$/],
  // OpenAI, Azure, the AI SDK, Anthropic, Bedrock
  ["not-found", /^(?:model_not_found|deployment_not_found|ai_no_such_model_error|not_found_error|resource_not_found_exception)$/],
  // Anthropic; OpenAI; Google; Groq; Bedrock
  ["overloaded", /^(?:overloaded_error|server_is_overloaded|engine_overloaded|slow_down|unavailable|capacity_exceeded|service_unavailable(?:_exception|_error)?|model_not_ready_exception|model_stream_error_exception)$/],
  // Bedrock; Google; fetch (`AbortSignal.timeout`); undici
  ["timeout", /^(?:model_timeout_exception|deadline_exceeded|timeout_error|und_err_(?:headers|body)_timeout)$/],
  // Node, undici, Bun. A provider's own abort is a broken connection: only the session's signal means that somebody cancelled.
  ["network", /^(?:econn(?:reset|refused|aborted)|epipe|etimedout|enotfound|eai_again|e(?:host|net)unreach|enetdown|und_err_(?:socket|connect_timeout|closed)|err_stream_premature_close|z_(?:buf|data)_error|zlib_error|hpe_\w+|connection_(?:refused|closed)|failed_to_open_socket|abort_error|response_aborted)$/],
];

/** Codes of a limit, which is per minute or for days: the texts and the hint decide. OpenAI, Anthropic, Google, Bedrock, DashScope. */
export const limitCodes = /^(?:rate_limit\w*|gateway_rate_limit_error|too_many_requests\w*|throttling\w*|resource_exhausted|quota_exceeded|limit_requests)$/;

/** Codes that say little more than a status does: the texts go first. */
export const genericCodes: readonly Rule[] = [
  ["bad-request", /^(?:invalid_request_error|invalid_argument|failed_precondition|invalid_prompt|validation_exception|ai_invalid_prompt_error|ai_unsupported_functionality_error)$/],
  ["overloaded", /^(?:api_error|server_error|internal|internal_error|internal_server_error|internal_server_exception|\w*_exhausted|\w*_unavailable)$/],
  ["empty", /^(?:ai_empty_response_body_error|ai_no_content_generated_error|ai_no_output_generated_error)$/],
  // A line of the stream that is no JSON: the answer is damaged on its way.
  ["truncated-stream", /^ai_jsonparse_error$/],
];

/**
 * Texts that look like an overflow and are none, and what they are. They go before {@link overflowTexts}.
 */
export const notOverflowTexts: readonly Rule[] = [
  // OpenAI: "Request too large for gpt-4o ... on tokens per min (TPM): Limit 30000, Requested 45000"; Bedrock: "Too many tokens
  // per day" (anomalyco/opencode#13015); Cerebras: "Tokens per minute limit exceeded - too many tokens processed" (#7463);
  // Anthropic: "would exceed the rate limit ... of 20,000 input tokens per minute ... reduce the prompt length"
  ["rate-limit", /tokens? per (?:second|min|minute|hour|day)|\b[rt]p[md] rate limit|too many tokens processed/i],
  // Bedrock: "ThrottlingException: Too many tokens, please wait before trying again."
  ["rate-limit", /rate limit|too many requests|throttl/i],
  // OpenAI: "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"; compatible servers:
  // "max_tokens must be less than or equal to 8192"; Anthropic: "max_tokens: 100000 > 8192, which is the maximum allowed
  // number of output tokens". The setting is wrong, however short the conversation is.
  ["bad-request", /max_(?:completion_|output_)?tokens['"`]? (?:must|should|cannot|can't) |supports at most \d+ (?:completion|output) tokens|maximum allowed number of output tokens/i],
  // OpenAI: "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40"
  ["bad-request", /string too long\. expected a string/i],
  // Anthropic: "image exceeds 5 MB maximum", "too many images and documents": no summary makes one image smaller.
  ["bad-request", /image (?:size )?exceeds|too many images/i],
];

/** How providers say, without a code for it, that a request is larger than the context window. */
export const overflowTexts: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic: "prompt is too long: 213462 tokens > 200000 maximum"
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic: "... : 199000 + 8192 > 200000"
  /exceeds (?:the|(?:the |this )?model'?s|its) context window/i, // OpenAI, both wordings (code-yeongyu/senpi#1466)
  /input tokens exceed the configured limit/i, // OpenAI, GPT-5
  /input token count.{0,80}exceeds the maximum/i, // Google Gemini
  /input token count is \d+ but model only supports up to/i, // Google Vertex (NousResearch/hermes-agent#99701)
  /maximum prompt length is \d+/i, // xAI
  /reduce the length of the (?:input )?(?:messages|prompt)/i, // Groq, OpenAI, vLLM
  /maximum context length (?:is|of) [\d,]+/i, // OpenAI, OpenRouter, DeepSeek, vLLM, SGLang (anomalyco/opencode#25230)
  /(?:over|exceeds?) (?:the )?(?:model'?s )?maximum context length/i, // a gateway before Gemini (anomalyco/opencode#23713), LiteLLM
  /context length is only \d+ tokens/i, // vLLM
  /input length.{0,40}exceeds.{0,40}(?:context length|allowed input length)/i, // vLLM; Poolside (earendil-works/pi#4943)
  /is longer than the model'?s context length/i, // Together AI
  /too many tokens: .{0,120}(?:exceeded by|exceeds the limit)/i, // Cohere
  /input is too long for requested model/i, // Bedrock
  /token count of \d+ exceeds the limit of \d+/i, // GitHub Copilot
  /exceeds the available context size/i, // llama.cpp
  /greater than the context length/i, // LM Studio
  /context window exceeds limit/i, // MiniMax
  /exceeded model token limit/i, // Kimi
  /too large for model with \d+ maximum context length/i, // Mistral
  /tokens in request more than max tokens allowed/i, // z.ai (anomalyco/opencode#35671)
  /prompt too long; exceeded (?:max )?context length/i, // Ollama
  /range of input length should be/i, // DashScope
  /(?:tokens, but the configured|exceeds) context size (?:is )?\(?\d/i, // ds4 (antirez/ds4#150)
  /request entity too large/i, // proxies
  /context[_ ](?:length|window)[_ ]exceeded/i, // many, as the text of an error without a code
  /^4(?:00|13)\s*(?:status code)?\s*\(no body\)/i, // Cerebras, Mistral. The same with 429 is a rate limit.
];

/** What else a refused request is told in words, also with status 400 or 403. */
export const refusalTexts: readonly Rule[] = [
  // Anthropic (400): "Your credit balance is too low"; DeepSeek; xAI (403): "used all available credits"
  ["quota", /credit balance is too low|insufficient (?:balance|credits|funds|quota)|used all available credits|monthly spending limit/i],
  ["auth", /api key not valid|(?:invalid|incorrect) api[ -]key/i], // Google (400), OpenAI
  ["content-filter", /content management policy|content exists risk|flagged (?:as|by|for) /i], // Azure, DeepSeek, OpenAI
];

/** A limit that does not come back within minutes: plans with windows of hours (ChatGPT, Claude, Kimi, z.ai), credits, days. */
export const exhaustedTexts = /\b\d+[- ]?hours?\b.{0,20}(?:limit|quota|window)|\b(?:daily|weekly|monthly)\b.{0,30}(?:limit|quota|window|usage)|(?:limit|quota).{0,40}\b(?:per|for the|this) (?:day|week|month)\b|tokens per day|usage limit|out of credits|spending limit|credit balance/i;

/** A word that is used for both kinds of limits. */
export const quotaWords = /quota|usage limit|credits/i;

/** What a failure without any status or code says. */
export const failureTexts: readonly Rule[] = [
  ["rate-limit", /rate limit|rate increased too quickly|too many requests|throttl|tokens per min/i],
  ["overloaded", /overloaded|at capacity|service (?:is )?(?:temporarily |currently )?unavailable|bad gateway|gateway time-?out|internal server error/i],
  ["timeout", /timed out|timeout (?:of|after|exceeded)/i],
  // @ai-sdk/openai-compatible, of a stream that broke off; @ai-sdk/anthropic, of one whose first line is no JSON
  ["truncated-stream", /stream ended without|expected a normalized anthropic stream error/i],
  ["network", /^(?:fetch failed|failed to fetch|terminated|load failed)$|socket hang up|premature close|connection (?:error|reset|closed|refused|lost)|econnreset|other side closed/i],
];
