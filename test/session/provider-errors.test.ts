import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { reply } from "throughline/testing";
import { expectDone, start } from "./session-under-test.ts";

const refusal = (statusCode: number, body: unknown, headers: Record<string, string> = {}): APICallError =>
  new APICallError({ message: "Bad Request", url: "https://api.example.com", requestBodyValues: {}, statusCode, responseBody: JSON.stringify(body), responseHeaders: headers });

const zzz = { error: { code: "context_length_exceeded", message: "zzz" } };
const array = [{ error: { code: 400, status: "INVALID_ARGUMENT", message: "The requested token count is over the maximum context length." } }];

describe("a conversation that does not fit", () => {
  // Without automatic compaction the user sees the overflow itself; with it, the engine reacts to it.
  it.each<[string, unknown, Parameters<typeof reply.error>[1]]>([
    // R26, anomalyco/opencode#17746
    ["by its code in a refused request", refusal(400, zzz), {}],
    ["by its code in an error part", { type: "error", ...zzz }, { inStream: "part" }],
    ["by its code in a JSON message", new Error(JSON.stringify(zzz)), {}],
    ["by its code in a JSON message, in a stream that breaks", new Error(JSON.stringify(zzz)), { inStream: "throw" }],
    // R28, anomalyco/opencode#23713
    ["by words in a body that is a list", refusal(400, array), {}],
    ["by words in an error part that is a text", JSON.stringify(array), { inStream: "part" }],
  ])("is known %s", async (_what, error, options) => {
    const test = await start([reply.error(error, options)]);
    const result = await test.session.prompt("Hi").settled;
    expect(result).toMatchObject({ outcome: "error", error: { code: "overflow", retryable: false } });
    expect(result.messages.at(-1)?.info.error?.code).toBe("overflow");
    expectDone(test);
  });

  it("is known by its finish reason, which is no output limit", async () => {
    const test = await start([[reply.text("Half an ans"), reply.finish({ unified: "length", raw: "model_context_window_exceeded" })]]);
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "error", text: "Half an ans", error: { code: "overflow" } });
    expectDone(test);
  });
});
