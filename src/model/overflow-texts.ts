/**
 * How providers say, without a code for it, that a request is larger than the context window. From their documented error
 * bodies: Anthropic, Google, OpenAI and compatible servers, xAI, Groq, Bedrock.
 */
const overflowTexts: readonly RegExp[] = [
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /input token count.*exceeds the maximum/i,
  /exceeds the context window/i,
  /maximum context length is \d+/i,
  /maximum prompt length is \d+/i,
  /reduce the length of the messages/i,
  /input is too long for requested model/i,
];

/** Whether a provider's refusal means that the request does not fit into the context window. */
export function saysOverflow(text: string): boolean {
  return overflowTexts.some((pattern) => pattern.test(text));
}
