import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createAgent, defineTool } from "throughline";
import { strictModel } from "throughline/testing";
import { recordings } from "./recording.ts";

const only = process.argv[2];
const cut = (_k: string, v: unknown) => (typeof v === "string" && v.length > 60 ? `${v.slice(0, 40)}…${v.length}` : v);
const say: Record<string, string[]> = {
  anthropic: [
    `{"type":"message_start","message":{"id":"msg_ok","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
    `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
    `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"OK."}}`,
    `{"type":"content_block_stop","index":0}`,
    `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}}`,
    `{"type":"message_stop"}`,
  ],
  responses: [
    `{"type":"response.created","response":{"id":"resp_ok","created_at":1,"model":"m"}}`,
    `{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_ok"}}`,
    `{"type":"response.output_text.delta","item_id":"msg_ok","delta":"OK."}`,
    `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_ok"}}`,
    `{"type":"response.completed","response":{"usage":{"input_tokens":1,"output_tokens":1}}}`,
  ],
  chat: [`{"id":"ok","created":1,"model":"m","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"OK."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`],
  google: [`{"candidates":[{"content":{"parts":[{"text":"OK."}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`],
};
process.on("unhandledRejection", (e) => console.log("UNHANDLED", e));
for (const r of recordings) {
  if (only && !r.name.includes(only)) continue;
  const bodies: any[] = [];
  let n = 0;
  const fetch = async (_u: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(init!.body as string));
    const lines = r.answers[n++] ?? say[r.dialect]!;
    const queue = [...lines, "[DONE]"].map((l) => `data: ${l}\n\n`);
    return new Response(new ReadableStream({ async pull(c) { await new Promise((x) => setImmediate(x)); const x = queue.shift(); if (x === undefined) c.close(); else c.enqueue(new TextEncoder().encode(x)); } }), { headers: { "content-type": "text/event-stream" } });
  };
  const s = { apiKey: "k", fetch: fetch as any };
  const anthropic = createAnthropic(s), openai = createOpenAI(s);
  const model: any = r.dialect === "anthropic" ? anthropic(r.modelID) : r.dialect === "responses" ? openai.responses(r.modelID) : r.dialect === "google" ? createGoogleGenerativeAI(s)(r.modelID)
    : r.provider === "groq" ? createGroq(s)(r.modelID) : r.provider === "mistral" ? createMistral(s)(r.modelID) : r.provider === "openai" ? openai.chat(r.modelID) : createOpenAICompatible({ ...s, name: r.provider, baseURL: "http://x" })(r.modelID);
  const tool = defineTool({ description: "A tool.", input: { type: "object" }, execute: () => ({ answer: 42 }) });
  const names: any = Object.fromEntries(["json", "rollDie", "updateIssueList", "test-tool", "weather", "getWeather", "webSearchTool", "calculator", "cityAttractions"].map((n) => [n, tool]));
  const text = r.answers.flat().join("");
  if (r.dialect === "anthropic") { if (text.includes("web_search")) names.web_search = anthropic.tools.webSearch_20250305(); if (text.includes('"code_execution"')) names.code_execution = anthropic.tools.codeExecution_20250825(); if (text.includes("bash_code_execution")) names.code_execution = anthropic.tools.codeExecution_20260120(); }
  if (r.dialect === "responses") { if (text.includes("web_search")) names.web_search = openai.tools.webSearch(); if (text.includes("custom_tool")) names.write_sql = { ...openai.tools.customTool({ description: "sql" }), execute: (x: unknown) => ({ rows: [x] }) }; if (text.includes("mcp_")) names.mcp = openai.tools.mcp({ serverLabel: "zip1", serverUrl: "https://zip1.io/mcp", requireApproval: "always" }); }
  const agent = createAgent({ model: strictModel(model), tools: names, logger: (l) => console.log("LOG", JSON.stringify(l, cut)) });
  const session = await agent.session();
  console.log("=====", r.name, r.dialect, r.modelID, r.answers.map((a) => a.length).join(","));
  const one = await session.prompt("First prompt.").settled;
  console.log("one:", one.outcome, (one as any).error?.message, (one as any).error?.code, "steps", one.steps, one.toolErrors.map((e) => e.error));
  for (const m of one.messages) console.log("   ", m.info.finish, m.info.error?.code ?? "", m.parts.map((p: any) => p.type + (p.type === "tool" ? `(${p.tool} ${p.state.status} ${p.providerExecuted ? "PE" : ""} ${p.deferred ?? ""} ${JSON.stringify(p.state.input, cut)})` : p.type === "custom" ? p.kind : "")).join(" "));
  const two = await session.prompt("Second prompt.").settled;
  console.log("two:", two.outcome, (two as any).error?.message, session.status);
  const b = bodies.at(-1);
  console.log(bodies.length, JSON.stringify(b.messages ?? b.input ?? b.contents, cut, 1).replace(/\n\s*/g, " ").replace(/(\{ "(role|type)": "(user|assistant|tool|model|item_reference|function|reasoning|custom))/g, "\n    $1"));
  await agent.close();
}
