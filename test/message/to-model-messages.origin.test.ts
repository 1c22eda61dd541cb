import { describe, expect, it } from "vitest";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { profileFor } from "../../src/message/profile-for.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { assistant, completed, errored, failed, file, model, otherModel, png, reasoning, text, tool, user } from "./projection-samples.ts";

const hi = user([text("hi")]);
const next = user([text("go on")], { id: "msg_next" });

describe("provider metadata", () => {
  const metadata = { anthropic: { signature: "s1", nested: { keep: [1, "two"] } } };
  const signed = assistant([
    { type: "reasoning", text: "hm", time: { start: 0 }, metadata },
    text("hello", { metadata }),
    tool("call_a", completed("A"), { metadata }),
  ]);

  it("returns to the model that made it, on the same parts, and on the result of a call", () => {
    const [, said, results] = toModelMessages([hi, signed], model);
    expect(said?.content.map((part) => part.providerOptions)).toEqual([metadata, metadata, metadata]);
    expect(results?.content.map((part) => part.providerOptions)).toEqual([metadata]);
  });

  it("does not go to another model, and returns when the model is back", () => {
    expect(JSON.stringify(toModelMessages([hi, signed], otherModel))).not.toContain("s1");
    expect(JSON.stringify(toModelMessages([hi, signed], { provider: model.provider, modelId: "claude-2" }))).not.toContain("s1");
    expect(JSON.stringify(toModelMessages([hi, signed], { providerID: model.provider, modelID: model.modelId }))).toContain("s1");
  });

  it("stays at home for bare wire rules, unless the model is named", () => {
    const profile = profileFor(model);
    expect(JSON.stringify(toModelMessages([hi, signed], profile))).not.toContain("s1");
    const named = { model: { providerID: model.provider, modelID: model.modelId } };
    expect(toModelMessages([hi, signed], profile, named)).toEqual(toModelMessages([hi, signed], model));
  });

  it.each([{ finish: undefined }, { finish: "interrupted" }, { finish: "error" }, failed("aborted"), failed("length")])(
    "does not return from a step that did not complete: %j",
    (fields) => {
      const cut = assistant(signed.parts, fields);
      expect(JSON.stringify(toModelMessages([hi, cut], model))).not.toContain("s1");
      expect(JSON.stringify(toModelMessages([hi, cut], model))).toContain("hello");
    },
  );

  it("is invented for no part", () => {
    const step = assistant([tool("a", completed("A"), { metadata: { google: { thoughtSignature: "t" } } }), tool("b", completed("B"))]);
    const [, said] = toModelMessages([hi, step], model);
    expect(said?.content.map((part) => part.providerOptions)).toEqual([{ google: { thoughtSignature: "t" } }, undefined]);
  });
});

describe("reasoning", () => {
  const thinking = [reasoning("because", "s1"), text("42")];

  it("needs its signature where the provider wants one", () => {
    expect(toModelMessages([hi, assistant([reasoning("because"), text("42")])], model)[1]?.content).toEqual([{ type: "text", text: "42" }]);
  });

  it("of another model is dropped, or sent as text, as the profile says", () => {
    expect(toModelMessages([hi, assistant(thinking)], otherModel)[1]?.content).toEqual([{ type: "text", text: "42" }]);
    const asText = { ...modelProfiles.default, foreignReasoning: "text" as const };
    expect(toModelMessages([hi, assistant(thinking)], asText)[1]?.content).toEqual([{ type: "text", text: "because" }, { type: "text", text: "42" }]);
  });

  it("alone is no message: providers refuse one that ends with it", () => {
    expect(toModelMessages([hi, assistant([reasoning("because", "s1"), text("")])], model)).toHaveLength(1);
    expect(toModelMessages([hi, assistant([text("42"), reasoning("hm", "s2")])], model)[1]?.content).toEqual([{ type: "text", text: "42" }]);
  });

  it("without text keeps what only its provider can read", () => {
    const redacted = { type: "reasoning" as const, text: "", time: { start: 0 }, metadata: { anthropic: { redactedData: "x" } } };
    expect(toModelMessages([hi, assistant([redacted, text("42")])], model)[1]?.content).toMatchObject([{ type: "reasoning" }, { type: "text" }]);
  });
});

describe("media of the model", () => {
  const google = { provider: "google.generative-ai", modelId: "gemini-2.5" };
  const origin = { providerID: google.provider, modelID: google.modelId };
  const metadata = { google: { thoughtSignature: "t" } };
  const drawn = [file("image/png", png, { metadata, reasoning: true }), file("image/png", png, { metadata, filename: "a.png" })];

  it("return to it as files, those of its reasoning as such", () => {
    const [, said] = toModelMessages([hi, assistant(drawn, origin)], google);
    const data = { type: "data", data: "iVBORw0KGgo=" };
    expect(said?.content).toEqual([
      { type: "reasoning-file", mediaType: "image/png", data, providerOptions: metadata },
      { type: "file", mediaType: "image/png", filename: "a.png", data, providerOptions: metadata },
    ]);
  });

  it("go to another model of the wire without metadata, those of its reasoning not at all", () => {
    const [, said] = toModelMessages([hi, assistant(drawn, origin)], { ...google, modelId: "gemini-2" });
    expect(said?.content).toEqual([{ type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: "iVBORw0KGgo=" } }]);
    const cut = assistant(drawn, { ...origin, ...failed("aborted") });
    expect(JSON.stringify(toModelMessages([hi, cut], google))).not.toContain("reasoning-file");
  });

  it("are described where assistant messages take none", () => {
    const [, said] = toModelMessages([hi, assistant(drawn, origin)], model);
    expect(said?.content).toEqual([{ type: "text", text: '[image/png "a.png": made by the model, not included]' }]);
  });

  it("of provider-specific kinds return only to their origin", () => {
    const step = assistant([{ type: "custom", kind: "openai.compaction", metadata: { openai: { itemId: "cmp" } } }, text("done")], {
      providerID: otherModel.provider,
      modelID: otherModel.modelId,
    });
    expect(toModelMessages([hi, step], otherModel)[1]?.content).toEqual([
      { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp" } } },
      { type: "text", text: "done" },
    ]);
    expect(toModelMessages([hi, step], model)[1]?.content).toEqual([{ type: "text", text: "done" }]);
  });
});

describe("calls that the provider ran", () => {
  const search = tool("srvtoolu_1", completed("", { input: { query: "x" }, modelOutput: { type: "json", value: [{ url: "u", type: "web_search_result" }] } }), {
    tool: "web_search",
    providerExecuted: true,
    metadata: { anthropic: { caller: "c" } },
    resultMetadata: { anthropic: { result: "r" } },
  });
  const step = assistant([text("I search."), search, text("Found.")]);

  it("stay in place with their result, as stored", () => {
    const messages = toModelMessages([hi, step, next], model);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.content).toEqual([
      { type: "text", text: "I search." },
      {
        type: "tool-call",
        toolCallId: "srvtoolu_1",
        toolName: "web_search",
        input: { query: "x" },
        providerExecuted: true,
        providerOptions: { anthropic: { caller: "c" } },
      },
      {
        type: "tool-result",
        toolCallId: "srvtoolu_1",
        toolName: "web_search",
        output: { type: "json", value: [{ url: "u", type: "web_search_result" }] },
        providerOptions: { anthropic: { result: "r" } },
      },
      { type: "text", text: "Found." },
    ]);
  });

  it("lose their provider's metadata when they become ordinary calls", () => {
    const interrupted = tool("srv_1", errored("interrupted"), { providerExecuted: true, metadata: { google: { serverToolCallId: "x" } } });
    const [, said, results] = toModelMessages([hi, assistant([interrupted])], model);
    expect(said?.content).toEqual([{ type: "tool-call", toolCallId: "srv_1", toolName: "read", input: {} }]);
    expect(JSON.stringify(results)).not.toContain("serverToolCallId");
  });

  it.each([
    ["another model", step, otherModel],
    ["a wire without a place for them", assistant(step.parts, { providerID: "mistral.chat", modelID: "m" }), { provider: "mistral.chat", modelId: "m" }],
    ["a step that did not complete", assistant(step.parts, failed("aborted")), model],
  ])("become ordinary calls and results for %s", (_name, message, target) => {
    const messages = toModelMessages([hi, message], target);
    expect(messages.map(({ role }) => role).slice(0, 3)).toEqual(["user", "assistant", "tool"]);
    expect(JSON.stringify(messages)).not.toContain("providerExecuted");
    expect(messages[2]?.content).toMatchObject([{ toolName: "web_search", output: { type: "json" } }]);
    expect(validateModelMessages(messages, profileFor(target))).toEqual([]);
  });

  it("may give their result in a later message", () => {
    const early = assistant([tool("srv_1", completed("later"), { tool: "code_execution", providerExecuted: true, deferred: "call" }), tool("call_a", completed("A"))], { id: "msg_1" });
    const late = assistant([tool("srv_1", completed("", { modelOutput: { type: "json", value: 1 } }), { tool: "code_execution", providerExecuted: true, deferred: "result" }), text("done")], { id: "msg_2" });
    const messages = toModelMessages([hi, early, late, next], model);
    expect(messages[1]?.content).toMatchObject([{ type: "tool-call", toolCallId: "srv_1", providerExecuted: true }, { toolCallId: "call_a" }]);
    expect(messages[3]?.content).toMatchObject([{ type: "tool-result", toolCallId: "srv_1" }, { text: "done" }]);
    // A window that starts after the call has no place for a lone result.
    expect(validateModelMessages(toModelMessages([hi, late, next], model), profileFor(model))).toEqual([]);
  });

  it("carry the answer to a request for leave in the tool message", () => {
    const origin = { providerID: otherModel.provider, modelID: otherModel.modelId };
    const approval = { id: "mcpr_1", approved: true };
    const asked = assistant([tool("call_mcp", completed("Approved."), { tool: "mcp.create", providerExecuted: true, approval })], origin);
    expect(toModelMessages([hi, asked], otherModel).slice(1)).toEqual([
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "call_mcp", toolName: "mcp.create", input: { path: "a" }, providerExecuted: true }],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "mcpr_1", approved: true }] },
    ]);
  });
});
