import type { Json } from "./json.ts";

/** The lines of an answer. Unlike other providers' packages, this one refuses an event that lacks a field. */
export function answer(events: readonly Json[], usage: Json): string[] {
  const response = { id: "resp_1", object: "response", created_at: 1, model: "grok-4", output: [] };
  const start = { type: "response.created", response };
  const end = { type: "response.completed", response: { ...response, status: "completed", usage } };
  return [start, ...events, end].map((event) => JSON.stringify(event));
}

/** Reasoning; without a summary it is sealed only. */
export function thought(index: number, { id, summary, encrypted }: { id: string; summary: string; encrypted: string }): Json[] {
  const place = { item_id: id, output_index: index, summary_index: 0 };
  const deltas = summary === "" ? [] : [
    { type: "response.reasoning_summary_part.added", ...place, part: { type: "summary_text", text: "" } },
    ...wordsOf(summary).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
    { type: "response.reasoning_summary_text.done", ...place, text: summary },
    { type: "response.reasoning_summary_part.done", ...place, part: { type: "summary_text", text: summary } },
  ];
  const item = { type: "reasoning", id, summary: [], status: "in_progress" };
  const finished = { ...item, summary: summary === "" ? [] : [{ type: "summary_text", text: summary }], status: "completed", encrypted_content: encrypted };
  return [added(index, item), ...deltas, done(index, finished)];
}

export function said(index: number, { id, text }: { id: string; text: string }): Json[] {
  const place = { item_id: id, output_index: index, content_index: 0 };
  const item = { type: "message", id, role: "assistant", content: [], status: "in_progress" };
  const part = { type: "output_text", text, logprobs: [], annotations: [] };
  return [
    added(index, item),
    { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
    ...wordsOf(text).map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
    { type: "response.output_text.done", ...place, text },
    { type: "response.content_part.done", ...place, part },
    done(index, { ...item, content: [part], status: "completed" }),
  ];
}

/** A call of the tool `weather`. */
export function called(index: number, { id, call: call_id, city }: { id: string; call: string; city: string }): Json[] {
  const place = { item_id: id, output_index: index };
  const written = JSON.stringify({ city });
  const item = { type: "function_call", id, call_id, name: "weather", arguments: "", status: "in_progress" };
  return [
    added(index, item),
    { type: "response.function_call_arguments.delta", ...place, delta: written },
    { type: "response.function_call_arguments.done", ...place, arguments: written },
    done(index, { ...item, arguments: written, status: "completed" }),
  ];
}

function added(output_index: number, item: Json): Json {
  return { type: "response.output_item.added", output_index, item };
}

function done(output_index: number, item: Json): Json {
  return { type: "response.output_item.done", output_index, item };
}

/** Words, each with the space before it. */
function wordsOf(text: string): string[] {
  return text.split(/(?= )/);
}
