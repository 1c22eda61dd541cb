import { tool } from "ai";
import { describe, expect, it } from "vitest";
import { defineTool, type AnyTool, type ToolPart } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, expectDone, resultsIn, start, type SessionUnderTest } from "./session-under-test.ts";

const nothing = z.object({});

interface CallOutcome {
  part: ToolPart;
  /** What the model was shown. */
  sent: [string, unknown];
  test: SessionUnderTest;
}

async function call(subject: AnyTool): Promise<CallOutcome> {
  const test = await start([reply.toolCall("subject"), reply.text("Done.")], { tools: { subject } });
  const { messages } = await test.session.prompt("Hi");
  const part = messages[0]?.parts.find((candidate) => candidate.type === "tool");
  const sent = resultsIn(test.model.requests[1])[0];
  if (part === undefined || sent === undefined) throw new Error("The call has no part or no result.");
  expectDone(test);
  return { part, sent: [sent[1], sent[2]], test };
}

const returning = (value: () => unknown): AnyTool => defineTool({ description: "Returns.", input: nothing, execute: value });

describe("what a tool returns", () => {
  it("is stored and sent as it is when it is a text", async () => {
    const { part, sent } = await call(returning(() => "42"));
    expect(part.state).toMatchObject({ status: "completed", output: "42", title: "subject" });
    expect(sent).toEqual(["text", "42"]);
  });

  it("is sent as JSON when it is a JSON value", async () => {
    const { part, sent } = await call(returning(() => ({ answer: 42, list: [true, null] })));
    expect(part.state).toMatchObject({ status: "completed", output: '{"answer":42,"list":[true,null]}' });
    expect(sent).toEqual(["json", { answer: 42, list: [true, null] }]);
  });

  it("may be structured: only the output is sent", async () => {
    const { part, sent } = await call(returning(() => ({ title: "Read it", output: "text", metadata: { lines: 3 } })));
    expect(part.state).toMatchObject({ status: "completed", output: "text", title: "Read it", metadata: { lines: 3 } });
    expect(sent).toEqual(["text", "text"]);
  });

  it.each<[string, () => unknown]>([
    ["an empty text", () => ""],
    ["undefined", () => undefined],
    ["null", () => null],
    ["no content", () => ({ type: "content", value: [] })],
  ])("is a completed call with a placeholder for the model when it is %s", async (_what, value) => {
    const { part, sent } = await call(returning(value));
    expect(part.state.status).toBe("completed");
    expect(sent[0]).toBe("text");
    expect(String(sent[1]).trim()).not.toBe("");
  });

  it("may hold what JSON cannot: a big number, a cycle, a date, a function, half a character", async () => {
    const cyclic: Record<string, unknown> = { huge: 2n ** 80n, when: new Date(0), run: () => 1, half: "a\ud800" };
    cyclic["self"] = cyclic;
    const { part, sent } = await call(returning(() => cyclic));
    expect(part.state.status).toBe("completed");
    expect(sent).toEqual(["json", { huge: String(2n ** 80n), when: "1970-01-01T00:00:00.000Z", half: "a\ufffd", self: "[circular]" }]);
  });
});

describe("toModelOutput", () => {
  it("runs once; what it made is stored, and sent in every later request", async () => {
    let runs = 0;
    const subject = defineTool({
      description: "Returns.",
      input: nothing,
      execute: () => ({ rows: 3 }),
      toModelOutput: ({ toolCallId, output }) => ({ type: "text", value: `run ${(runs += 1)} of ${toolCallId}: ${output.rows} rows` }),
    });
    const test = await start([reply.toolCall("subject"), reply.text("One."), reply.text("Two.")], { tools: { subject } });
    const { messages } = await test.session.prompt("Hi");
    await test.session.prompt("Again");
    const shown = "run 1 of call_1: 3 rows";
    expect(messages[0]?.parts.find((part) => part.type === "tool")?.state).toMatchObject({ output: '{"rows":3}', modelOutput: { type: "text", value: shown } });
    expect([1, 2].map((index) => resultsIn(test.model.requests[index]))).toEqual([[["call_1", "text", shown]], [["call_1", "text", shown]]]);
    expect(runs).toBe(1);
    expectDone(test);
  });

  it("that throws makes the call an error, not the turn", async () => {
    const { part, sent } = await call({
      ...defineTool({ description: "Returns.", input: nothing, execute: () => "fine" }),
      toModelOutput: () => {
        throw new Error("cannot show");
      },
    });
    expect(part.state.status).toBe("error");
    expect(sent).toEqual(["error-text", expect.stringContaining("cannot show")]);
  });
});

describe("a tool that yields", () => {
  it("has its last value as the result, and shows the others as progress", async () => {
    const subject = defineTool({
      description: "Counts.",
      input: nothing,
      async *execute() {
        yield { output: "1", metadata: { count: 1 } };
        yield { output: "2", metadata: { count: 2 } };
      },
    });
    const { part, sent, test } = await call(subject);
    expect(sent).toEqual(["text", "2"]);
    expect(part.state).toMatchObject({ status: "completed", output: "2" });
    expect(part.state).toHaveProperty("metadata", { count: 2 });
    expect(eventsOfType(test.events, "tool.progress").map(({ metadata }) => metadata)).toEqual([
      { output: "1", count: 1 },
      { output: "2", count: 2 },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["a number", 5, "subject"],
    ["an object", { a: 1 }, "subject"],
    ["half a character", "a\ud83d", "a\ufffd"],
  ])("keeps its rows as they must be when it shows %s as its title", async (_name, title, shown) => {
    const subject = defineTool({
      description: "Counts.",
      input: nothing,
      execute(_input, { progress }) {
        progress({ title: title as string });
        return "done";
      },
    });
    const { test } = await call(subject);
    expect(eventsOfType(test.events, "tool.progress").map((event) => event.title)).toEqual([shown]);
  });

  it("and then throws has failed", async () => {
    const subject = defineTool({
      description: "Counts.",
      input: nothing,
      async *execute() {
        yield "1";
        throw new Error("lost count");
      },
    });
    expect((await call(subject)).sent).toEqual(["error-text", expect.stringContaining("lost count")]);
  });
});

describe("a tool of the AI SDK", () => {
  it("works as it is", async () => {
    const seen: unknown[] = [];
    const subject = tool({
      description: "Weather.",
      inputSchema: z.object({ city: z.string().default("Paris") }),
      execute: ({ city }, { toolCallId, abortSignal }) => {
        seen.push(toolCallId, abortSignal instanceof AbortSignal);
        return { city, degrees: 21 };
      },
      toModelOutput: ({ output }) => ({ type: "text", value: `${output.degrees} °C in ${output.city}` }),
    });
    const { sent, test } = await call(subject);
    expect(sent).toEqual(["text", "21 °C in Paris"]);
    expect(seen).toEqual(["call_1", true]);
    expect(test.model.requests[0]?.tools).toMatchObject([{ type: "function", name: "subject", description: "Weather.", inputSchema: { type: "object" } }]);
  });
});

describe("a tool that the provider runs", () => {
  it("is not run here, and its result comes back inside the model's message", async () => {
    const script = [[reply.toolCall("web_search", { query: "x" }, { result: [{ url: "https://example.com" }] }), reply.text("Found it.")], reply.text("Yes.")];
    const test = await start(script, { scripted: { provider: "anthropic.messages" } });
    const { messages, steps } = await test.session.prompt("Hi");
    expect(steps).toBe(1);
    expect(messages[0]?.parts.find((part) => part.type === "tool")).toMatchObject({ providerExecuted: true, state: { status: "completed" } });
    await test.session.prompt("Sure?");
    expect(test.model.requests[1]?.prompt[1]?.content).toMatchObject([{ type: "tool-call" }, { type: "tool-result", output: { type: "json" } }, { type: "text", text: "Found it." }]);
    expectDone(test);
  });
});
