import { list, parse, record, text, type Json } from "./json.ts";
import type { Dialect, Said } from "./dialect.ts";

/** The Messages API: content blocks come back as they came. */
export const anthropic: Dialect = {
  plainAnswer: [
    '{"type":"message_start","message":{"id":"msg_plain","type":"message","role":"assistant","model":"any","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Plain answer."}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}}',
    '{"type":"message_stop"}',
  ],
  alternates: true,
  said(payloads) {
    return describe(blocksOf(payloads));
  },
  messages(body) {
    return list(body["messages"]);
  },
  returned(body) {
    return this.messages(body).flatMap(({ role, content }) => {
      const blocks = list(content);
      if (role === "assistant") return blocks;
      return blocks.filter(({ type }) => type === "tool_result").map((block) => ({ type: "result", call: block["tool_use_id"] }));
    });
  },
  isEmpty({ content }) {
    return list(content).length === 0 || list(content).some(isBlank);
  },
};

function describe(blocks: readonly Json[]): Said {
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return {
    text: blocks.map((block) => text(block["text"])).join(""),
    reasoning: blocks.map((block) => text(block["thinking"])).join(""),
    // Blank text is refused by the API, though its models write it.
    items: blocks.filter((block) => !isBlank(block)),
    results: calls.map(({ id }) => ({ type: "result", call: id })),
    tools: calls.map(({ name }) => text(name)),
  };
}

function isBlank(block: Json): boolean {
  return block["type"] === "text" && text(block["text"]).trim() === "";
}

/** Puts the blocks together. Some come whole, with the start of the message. */
function blocksOf(payloads: readonly Json[]): Json[] {
  const blocks: Json[] = [];
  const open = new Map<unknown, Json>();
  for (const payload of payloads) {
    if (payload["type"] === "message_start") blocks.push(...list(record(payload["message"])["content"]));
    if (payload["type"] === "content_block_start") {
      const block = { ...record(payload["content_block"]) };
      open.set(payload["index"], block);
      blocks.push(block);
    }
    const block = open.get(payload["index"]);
    if (payload["type"] === "content_block_delta" && block !== undefined) extend(block, record(payload["delta"]));
  }
  return blocks.map(finished);
}

function extend(block: Json, delta: Json): void {
  switch (delta["type"]) {
    case "text_delta":
      block["text"] = text(block["text"]) + text(delta["text"]);
      return;
    case "thinking_delta":
      block["thinking"] = text(block["thinking"]) + text(delta["thinking"]);
      return;
    case "signature_delta":
      block["signature"] = delta["signature"];
      return;
    case "input_json_delta":
      block["partial"] = text(block["partial"]) + text(delta["partial_json"]);
      return;
    case "citations_delta":
      block["citations"] = [...list(block["citations"]), record(delta["citation"])];
      return;
    default:
      throw new Error(`A delta of unknown type: ${text(delta["type"])}`);
  }
}

function finished({ partial, citations, ...block }: Json): Json {
  return {
    ...block,
    ...(partial !== undefined && { input: parse(partial) }),
    ...(list(citations).length > 0 && { citations }),
  };
}
