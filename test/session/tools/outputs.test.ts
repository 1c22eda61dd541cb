import { describe, expect, it } from "vitest";
import { defineTool, type AnyTool } from "throughline";
import { reply } from "throughline/testing";
import { z } from "zod";
import { expectDone, resultsIn, start, type SessionTestOptions, type SessionUnderTest } from "../session-under-test.ts";

const giving = (value: unknown, maxOutputChars?: number): AnyTool => defineTool({ description: "Gives.", input: z.object({}), maxOutputChars, execute: () => value });

async function shown(give: AnyTool, options: SessionTestOptions = {}): Promise<{ test: SessionUnderTest; value: string; tools: string[] }> {
  const test = await start([reply.toolCall("give"), reply.text("Done.")], { tools: { give }, ...options });
  await test.session.prompt("Go.");
  expectDone(test);
  const result = resultsIn(test.model.requests[1])[0]?.[2];
  return { test, value: typeof result === "string" ? result : JSON.stringify(result), tools: (test.model.requests[1]?.tools ?? []).map(({ name }) => name) };
}

const megabyte = "0123456789abcde\n".repeat(65_536);

describe("an output that is too large", () => {
  it.each<[string, unknown]>([
    ["R171: a text", megabyte],
    ["R171: texts in content", { type: "content", value: [{ type: "text", text: megabyte }, { type: "text", text: megabyte }] }],
    ["JSON", { rows: [megabyte] }],
    ["a structured result", { output: megabyte, title: "Much" }],
  ])("is shown by both its ends, whatever it is: %s", async (_what, value) => {
    const { value: text, tools } = await shown(giving(value));
    expect(text.length).toBeLessThanOrEqual(51_200);
    expect(text.length).toBeGreaterThan(20_000);
    expect(text).toMatch(/Output truncated: characters \d+ to \d+ are left out/);
    expect(tools).toEqual(["give", "output_read"]);
  });

  it("is cut by the limit of its tool, else by the agent's", async () => {
    expect((await shown(giving(megabyte, 800))).value.length).toBeLessThanOrEqual(800);
    expect((await shown(giving(megabyte), { toolOutput: { maxOutputChars: 8000 } })).value.length).toBeLessThanOrEqual(8000);
    expect((await shown(giving(megabyte, 200_000), { toolOutput: { maxOutputChars: 8000 } })).value.length).toBeGreaterThan(190_000);
  });

  it("R169: has a notice that names no tool that is not there", async () => {
    const denied = await shown(giving(megabyte), { permissions: [{ permission: "output_read", action: "deny" }] });
    const off = await shown(giving(megabyte), { toolOutput: { keep: 0 } });
    for (const { value, tools } of [denied, off]) {
      expect(value).toContain("Ask for less at once");
      expect(value).not.toContain("output_read");
      expect(tools).toEqual(["give"]);
    }
    expect((await shown(giving("small"))).tools).toEqual(["give"]);
  });

  it("can be read whole by the host, and in parts by the model: by characters and by lines", async () => {
    const numbered = Array.from({ length: 9000 }, (_, line) => `line ${line + 1}\n`).join("");
    let id = "";
    const read = (input: () => object) => (): ReturnType<typeof reply.toolCall> => reply.toolCall("output_read", { id, ...input() });
    const reads = [read(() => ({ offset: 5, limit: 10 })), read(() => ({ line: 5000, limit: 2 })), read(() => ({ line: 100_000 })), read(() => ({ offset: -1 }))];
    const script = ({ prompt }: { prompt: readonly { role: string }[] }) => {
      id = /art_[0-9a-f]{24}/.exec(JSON.stringify(prompt))?.[0] ?? "";
      const calls = prompt.filter(({ role }) => role === "tool").length;
      return calls === 0 ? reply.toolCall("give") : (reads[calls - 1]?.() ?? reply.text("Done."));
    };
    const test = await start(script, { tools: { give: giving(numbered) } });
    await test.session.prompt("Go.");
    const results = resultsIn(test.model.requests.at(-1)).slice(1).map(([, type, value]) => [type, String(value)]);
    expect(results[0]?.[1]).toContain("1\nline 2\nl\n[Characters 5 to 15 of");
    expect(results[1]?.[1]).toMatch(/^line 5000\nline 5001\n\n\[Characters/);
    expect(results[2]?.[1]).toContain("nothing from there on");
    expect(results[3]).toEqual(["error-text", expect.stringContaining("offset: is -1")]);
    expect((await test.session.toolOutput(id))?.text).toBe(numbered);
    expect((await test.session.toolOutput(id, { offset: 5, limit: 3 }))?.text).toBe("1\nl");
    expect(test.model.violations).toEqual([]);
  });

  it("is kept so many times and no more", async () => {
    let call = 0;
    const give = defineTool({ description: "Gives.", input: z.object({}), execute: () => `${(call += 1)}${megabyte}` });
    const test = await start([reply.toolCall("give"), reply.toolCall("give"), reply.toolCall("give"), reply.text("Done.")], { tools: { give }, toolOutput: { keep: 2 } });
    const { messages } = await test.session.prompt("Go.");
    const ids = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state.truncated?.artifactID ?? ""] : [])));
    expect(new Set(ids).size).toBe(3);
    expect(await Promise.all(ids.map(async (id) => (await test.session.toolOutput(id)) !== undefined))).toEqual([false, true, true]);
    expectDone(test);
  });
});

describe("an output of a program", () => {
  it("R172: is clean when the model sees it, in texts, in JSON and in errors", async () => {
    expect((await shown(giving("\u001b[31mred\u001b[0m\u0000\n10%\r20%"))).value).toBe("red\n20%");
    expect((await shown(giving({ out: "\u001b[31mred\u001b[0m" }))).value).toBe('{"out":"red"}');
    const failing = defineTool({ description: "Fails.", input: z.object({}), execute: () => { throw new Error("\u001b[31mred\u001b[0m"); } });
    expect((await shown(failing)).value).toBe('Tool "give" failed: red');
  });

  it("of an error is cut, too", async () => {
    const failing = defineTool({ description: "Fails.", input: z.object({}), execute: () => { throw new Error(megabyte); } });
    expect((await shown(failing)).value.length).toBeLessThanOrEqual(51_200);
  });
});
