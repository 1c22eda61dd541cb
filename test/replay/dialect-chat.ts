import { list, parse, record, text, type Json } from "./json.ts";
import type { Dialect, Said } from "./dialect.ts";

/** Chat completions: one message per answer, with its reasoning where the server has a field for it. */
export const chat: Dialect = {
  plainAnswer: [
    '{"id":"plain","object":"chat.completion.chunk","created":1,"model":"any","choices":[{"index":0,"delta":{"role":"assistant","content":"Plain answer."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}',
  ],
  alternates: false,
  said(payloads) {
    return describe(messageOf(payloads.flatMap(({ choices }) => list(choices).map(({ delta }) => record(delta)))));
  },
  messages(body) {
    return list(body["messages"]);
  },
  returned(body) {
    return this.messages(body).flatMap((message) => {
      if (message["role"] === "tool") return [{ type: "result", call: message["tool_call_id"] }];
      return message["role"] === "assistant" ? describe(message).items : [];
    });
  },
  isEmpty(message) {
    return textOf(message).trim() === "" && list(message["tool_calls"]).length === 0;
  },
};

/** As above, but call ids of any other form than nine letters and digits are refused: these calls come back renamed. */
export const mistral: Dialect = {
  ...chat,
  said(payloads) {
    const said = chat.said(payloads);
    const isLegal = (id: unknown): boolean => /^[a-zA-Z0-9]{9}$/.test(text(id));
    return { ...said, items: renameCalls(said.items, isLegal), results: renameCalls(said.results, isLegal) };
  },
  returned(body, known) {
    const kept = new Set(known.flatMap(({ items }) => items.map(({ call }) => call)));
    return renameCalls(chat.returned(body, known), (id) => kept.has(id));
  },
};

function renameCalls(items: readonly Json[], isKept: (id: unknown) => boolean): Json[] {
  return items.map((item) => (item["call"] === undefined || isKept(item["call"]) ? item : { ...item, call: "renamed" }));
}

function describe(message: Json): Said {
  const calls = list(message["tool_calls"]);
  const reasoning = reasoningOf(message);
  const said = textOf(message);
  return {
    text: said,
    reasoning,
    items: [
      ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning }]),
      ...(said === "" ? [] : [{ type: "text", text: said }]),
      ...calls.map((call) => ({ type: "call", call: call["id"], name: record(call["function"])["name"], input: parse(record(call["function"])["arguments"]) })),
    ],
    results: calls.map(({ id }) => ({ type: "result", call: id })),
    tools: calls.map((call) => text(record(call["function"])["name"])),
  };
}

function textOf({ content }: Json): string {
  return text(content) + list(content).map((part) => text(part["text"])).join("");
}

function reasoningOf(message: Json): string {
  const thinking = list(message["content"]).flatMap((part) => list(part["thinking"]));
  return text(message["reasoning_content"]) + text(message["reasoning"]) + thinking.map((part) => text(part["text"])).join("");
}

/** Puts the deltas together: one message in the form of a request. */
function messageOf(deltas: readonly Json[]): Json {
  const calls = new Map<unknown, { id: unknown; function: { name: string; arguments: string } }>();
  for (const part of deltas.flatMap((delta) => list(delta["tool_calls"]))) {
    const call = calls.get(part["index"]) ?? { id: part["id"], function: { name: "", arguments: "" } };
    calls.set(part["index"], call);
    call.function.name += text(record(part["function"])["name"]);
    call.function.arguments += text(record(part["function"])["arguments"]);
  }
  return { content: deltas.map(textOf).join(""), reasoning: deltas.map(reasoningOf).join(""), tool_calls: [...calls.values()] };
}
