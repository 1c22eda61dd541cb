import { list, parse, record, text, type Json } from "./json.ts";
import type { Dialect } from "./dialect.ts";

/** The Responses API: items come back whole, or by their id where the provider has stored them. */
export const responses: Dialect = {
  plainAnswer: [
    '{"type":"response.created","response":{"id":"resp_plain","created_at":1,"model":"any"}}',
    '{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_plain"}}',
    '{"type":"response.output_text.delta","item_id":"msg_plain","delta":"Plain answer."}',
    '{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_plain"}}',
    '{"type":"response.completed","response":{"usage":{"input_tokens":1,"output_tokens":1}}}',
  ],
  alternates: false,
  said(payloads) {
    const items = itemsOf(payloads);
    const calls = items.filter(({ type }) => type === "call");
    return {
      text: items.map((item) => (item["type"] === "message" ? text(item["text"]) : "")).join(""),
      reasoning: payloads.map((payload) => (payload["type"] === "response.reasoning_summary_text.delta" ? text(payload["delta"]) : "")).join(""),
      items,
      results: [
        ...calls.map(({ call }) => ({ type: "result", call })),
        ...items.filter(({ type }) => type === "mcp_approval_request").map(({ id }) => ({ type: "approval", request: id, approve: true })),
      ],
      tools: calls.map(({ name }) => text(name)),
    };
  },
  messages(body) {
    return list(body["input"]);
  },
  returned(body, known) {
    const stored = known.flatMap(({ items }) => items);
    return this.messages(body).flatMap((item): Json[] => {
      if (item["type"] === "item_reference") return [stored.find(({ id }) => id === item["id"]) ?? item];
      return itemOf(item).map((given) => withID(given, stored));
    });
  },
  isEmpty({ role, content }) {
    return role !== undefined && list(content).length === 0 && text(content).trim() === "";
  },
};

/** The finished items; a message's text is what its deltas said. */
function itemsOf(payloads: readonly Json[]): Json[] {
  const texts = new Map<unknown, string>();
  for (const { type, item_id: id, delta } of payloads) {
    if (type === "response.output_text.delta") texts.set(id, (texts.get(id) ?? "") + text(delta));
  }
  const done = payloads.filter(({ type }) => type === "response.output_item.done").map(({ item }) => record(item));
  return done.flatMap((item) => itemOf(item["type"] === "message" ? { ...item, content: texts.get(item["id"]) ?? "" } : item));
}

/** An item in the one form; nothing for a kind that never comes back, such as the list of an MCP server's tools. */
function itemOf(item: Json): Json[] {
  const { id, type, role } = item;
  if (role === "assistant" || type === "message") return [{ type: "message", id, text: text(item["content"]), phase: item["phase"] }];
  switch (type) {
    case "reasoning":
      return [{ type, id, summary: list(item["summary"]), encrypted: item["encrypted_content"] }];
    case "function_call":
      return [{ type: "call", id, call: item["call_id"], name: item["name"], input: parse(item["arguments"]) }];
    case "custom_tool_call":
      return [{ type: "call", id, call: item["call_id"], name: item["name"], input: item["input"] }];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ type: "result", call: item["call_id"] }];
    case "mcp_approval_response":
      return [{ type: "approval", request: item["approval_request_id"], approve: item["approve"] }];
    case "web_search_call":
    case "mcp_approval_request":
      return [{ type, id }];
    default:
      return [];
  }
}

/** Messages and calls that come back whole need no id: for the comparison they get the one of their equal. */
function withID(item: Json, stored: readonly Json[]): Json {
  if (item["id"] !== undefined) return item;
  return stored.find((known) => JSON.stringify({ ...known, id: undefined }) === JSON.stringify(item)) ?? item;
}
