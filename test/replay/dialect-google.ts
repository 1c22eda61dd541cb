import { list, record, text, type Json } from "./json.ts";
import type { Dialect } from "./dialect.ts";

/** The Gemini API. Its calls have no ids, and a signature belongs to the part that it came with. */
export const google: Dialect = {
  plainAnswer: [
    '{"candidates":[{"content":{"parts":[{"text":"Plain answer."}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}',
  ],
  alternates: true,
  said(payloads) {
    const items = itemsOf(payloads.flatMap(({ candidates }) => list(candidates).flatMap(({ content }) => list(record(content)["parts"]))));
    const calls = items.filter(({ type }) => type === "call");
    return {
      text: items.map((item) => text(item["text"])).join(""),
      reasoning: "",
      items,
      results: calls.map(({ name }) => ({ type: "result", call: name })),
      tools: calls.map(({ name }) => text(name)),
    };
  },
  messages(body) {
    return list(body["contents"]);
  },
  returned(body) {
    return this.messages(body).flatMap(({ role, parts }) => {
      if (role === "model") return itemsOf(list(parts));
      return list(parts).flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [{ type: "result", call: record(functionResponse)["name"] }]));
    });
  },
  isEmpty({ parts }) {
    return list(parts).length === 0;
  },
};

function itemsOf(parts: readonly Json[]): Json[] {
  const items: Json[] = [];
  for (const part of parts) {
    const { functionCall, thoughtSignature } = part;
    const signature = thoughtSignature === undefined ? {} : { signature: thoughtSignature };
    const last = items.at(-1);
    if (functionCall !== undefined) addCall(items, record(functionCall), signature);
    // Also an empty text that brings nothing but a signature: @ai-sdk/google gives it as a delta of the text block that is
    // open, before this library sees it, and so it returns on that text.
    else if (last?.["type"] === "text") Object.assign(last, { text: text(last["text"]) + text(part["text"]), ...signature });
    // The last piece of a stream is often an empty text.
    else if (part["text"] !== "" || thoughtSignature !== undefined) items.push({ type: "text", text: text(part["text"]), ...signature });
  }
  return items;
}

/** A call comes whole, or as a name and then pieces of its arguments, each with the path where it belongs. */
function addCall(items: Json[], call: Json, signature: Json): void {
  if (call["name"] !== undefined) {
    items.push({ type: "call", name: call["name"], input: { ...record(call["args"]) }, ...signature });
    return;
  }
  const input = record(items.at(-1)?.["input"]);
  for (const { jsonPath, stringValue } of list(call["partialArgs"])) {
    const field = text(jsonPath).replace("$.", "");
    input[field] = text(input[field]) + text(stringValue);
  }
}
