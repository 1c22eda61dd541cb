import { describe, expect, it } from "vitest";
import { defineTool } from "throughline";
import { reply, type ReplyPiece } from "throughline/testing";
import { z } from "zod";
import { echoTool, expectDone, resultsIn, start } from "./session-under-test.ts";

/** Tools throw anything, not only errors. */
function rejectingWith(reason: unknown): () => Promise<never> {
  return () => Promise.reject(reason);
}

/** Makes one call and returns the error text that the model reads. */
async function errorOf(call: ReplyPiece, execute: () => unknown = () => "fine"): Promise<{ text: string; runs: number }> {
  let runs = 0;
  const read_file = defineTool({
    description: "Reads a file.",
    input: z.object({ path: z.string(), options: z.object({ limit: z.number().int().positive() }).optional() }),
    execute: () => {
      runs += 1;
      return execute();
    },
  });
  const { echo } = echoTool();
  const test = await start([call, reply.text("I see.")], { tools: { read_file, echo } });
  const { outcome, toolErrors } = await test.session.prompt("Hi");
  expect(outcome).toBe("answered");
  const [result] = resultsIn(test.model.requests[1]);
  expect(result?.[1]).toBe("error-text");
  expect(toolErrors).toMatchObject([{ error: result?.[2] }]);
  expectDone(test);
  return { text: String(result?.[2]), runs };
}

describe("the model reads, for its own mistakes,", () => {
  it("which field was wrong, what stood there, what was expected and what to do", async () => {
    const { text, runs } = await errorOf(reply.toolCall("read_file", { path: 7, options: { limit: -1 } }));
    expect(text).toContain("path");
    expect(text).toContain("7");
    expect(text).toContain("options.limit");
    expect(text).toMatch(/expected/i);
    expect(text).toContain('call "read_file" again');
    expect(runs).toBe(0);
  });

  it("which field is missing: an empty object is not executed", async () => {
    for (const input of ["{}", ""]) {
      const { text, runs } = await errorOf(reply.toolCall("read_file", input));
      expect(text).toMatch(/path: missing/);
      expect(runs).toBe(0);
    }
  });

  it("that its JSON was broken, and how it began", async () => {
    const { text } = await errorOf(reply.toolCall("read_file", '{"path": "REA'));
    expect(text).toContain("not valid JSON");
    expect(text).toContain('{"path": "REA');
  });

  it("that its JSON was no object", async () => {
    expect((await errorOf(reply.toolCall("read_file", '["README.md"]'))).text).toContain("must be a JSON object");
  });

  it("that the tool does not exist, with the names that are close", async () => {
    const { text } = await errorOf(reply.toolCall("raed_file", { path: "a" }));
    expect(text).toContain('There is no tool named "raed_file".');
    expect(text).toContain('Did you mean "read_file"?');
    expect(text).toContain("Available tools: echo, read_file.");
    expect(text).not.toContain("not valid");
  });
});

describe("the model reads, for the tool's failures,", () => {
  it("what the tool threw", async () => {
    const { text } = await errorOf(reply.toolCall("read_file", { path: "a" }), () => {
      throw new Error("ENOENT: no such file", { cause: new Error("disk is gone") });
    });
    expect(text).toContain('Tool "read_file" failed');
    expect(text).toContain("ENOENT: no such file");
    expect(text).toContain("disk is gone");
  });

  it.each<[string, () => unknown]>([
    ["a rejection", () => Promise.reject(new Error("later"))],
    ["a string", rejectingWith("later")],
    ["nothing at all", rejectingWith(undefined)],
  ])("also when it is %s", async (_what, execute) => {
    expect((await errorOf(reply.toolCall("read_file", { path: "a" }), execute)).text).toContain('Tool "read_file" failed');
  });
});

describe("a name in the wrong case", () => {
  it("means the one tool that has it in another case", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("Echo", { text: "a" }), reply.text("Done.")], { tools: { echo } });
    const { messages } = await test.session.prompt("Hi");
    expect(runs).toEqual(["a"]);
    expect(messages[0]?.parts.flatMap((part) => (part.type === "tool" ? [part.tool] : []))).toEqual(["echo"]);
    expectDone(test);
  });

  it("means no tool when two would fit", async () => {
    const { echo, runs } = echoTool();
    const test = await start([reply.toolCall("ECHO", { text: "a" }), reply.text("Done.")], { tools: { echo, Echo: echo } });
    await test.session.prompt("Hi");
    expect(runs).toEqual([]);
    expectDone(test);
  });
});

describe("one call's failure", () => {
  it("leaves the other calls of the step alone, and results in call order", async () => {
    const { echo } = echoTool();
    const fails = defineTool({
      description: "Fails.",
      input: z.object({}),
      execute: () => {
        throw new Error("No.");
      },
    });
    const calls = [reply.toolCall("echo", { text: "a" }), reply.toolCall("fails"), reply.toolCall("nope"), reply.toolCall("echo", { text: "b" })];
    const test = await start([calls, reply.text("Done.")], { tools: { echo, fails } });
    await test.session.prompt("Hi");
    expect(resultsIn(test.model.requests[1]).map(([callID, type]) => [callID, type])).toEqual([
      ["call_1", "text"],
      ["call_2", "error-text"],
      ["call_3", "error-text"],
      ["call_4", "text"],
    ]);
    expectDone(test);
  });
});
