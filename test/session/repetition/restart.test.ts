import { describe, expect, it } from "vitest";
import { createAgent, defineTool } from "throughline";
import { reply, scriptedModel, strictModel, type Reply } from "throughline/testing";
import { z } from "zod";
import { start } from "../session-under-test.ts";

const read: Reply = reply.toolCall("read", { path: "a" });
const tools = { read: defineTool({ description: "Reads.", input: z.object({ path: z.string() }), execute: () => "same" }) };

describe("a repetition over a restart", () => {
  it("is the same one: the ask is answered elsewhere, and the eighth time is counted from the stored calls", async () => {
    const test = await start(Array.from({ length: 5 }, () => read), { tools, asks: { mode: "release" } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "waiting", asks: [{ permission: "doom_loop" }] });
    await test.agent.close();
    const model = strictModel(scriptedModel([read, read, read]));
    const agent = createAgent({ model, tools, storage: test.storage, clock: test.clock, asks: { mode: "release" } });
    const session = await agent.session(test.session.id);
    for (let time = 5; time < 8; time += 1) {
      const [ask] = await session.asks();
      await session.reply(ask?.id ?? "", { decision: "once" });
      const result = await session.resume();
      expect(result.outcome).toBe(time === 7 ? "limit" : "waiting");
      if (time === 7) expect(result).toMatchObject({ error: { code: "repetition" }, steps: 8 });
    }
    expect(model.requests).toHaveLength(3);
    expect(model.violations).toEqual([]);
    await agent.close();
  });
});
