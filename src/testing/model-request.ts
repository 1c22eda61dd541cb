import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { snapshot } from "./snapshot.ts";

/** One request to a model as it was when the call was made: deep-frozen, and without its abort signal. */
export type ModelRequest = Readonly<Omit<LanguageModelV4CallOptions, "abortSignal">>;

/**
 * Records a request. Later changes by the caller do not reach the record.
 *
 * @param previous the request recorded before it; equal parts are shared with that one
 */
export function recordRequest(options: LanguageModelV4CallOptions, previous: ModelRequest | undefined): ModelRequest {
  const { abortSignal: _live, ...data } = options;
  return snapshot(data, previous);
}

/** The last user text of a request and, when another message follows it, that message's role: to recognise a call by. */
export function describeRequest(request: ModelRequest): string {
  const lastUser = request.prompt.findLast((message) => message.role === "user");
  const text = lastUser?.content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join(" ");
  const user = text === undefined ? "there is no user message" : `the last user message is ${JSON.stringify(shorten(text))}`;
  const last = request.prompt.at(-1);
  return last === undefined || last === lastUser ? user : `${user}, and the last message is of role "${last.role}"`;
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
