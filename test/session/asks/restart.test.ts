import { expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage, type Agent } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

it("three open asks of a process that is gone are listed and answered in another one, and each call runs exactly once", async () => {
  const storage = memoryStorage();
  const runs: string[] = [];
  const write = defineTool({ description: "Writes.", input: z.object({ path: z.string() }), defaultAction: "ask", permission: ({ path }) => ({ patterns: [path] }), execute: ({ path }) => runs.push(path) });
  const agentOf = (script: Parameters<typeof scriptedModel>[0]): Agent => createAgent({ model: scriptedModel(script), storage, tools: { write }, asks: { mode: "release" } });
  const calls = ["a", "b", "c"].map((path) => reply.toolCall("write", { path }));
  const first = agentOf([calls]);
  expect(await (await first.session({ id: "one" })).prompt("Go.").settled).toMatchObject({ outcome: "waiting" });
  await first.close();

  const second = agentOf([reply.text("Done.")]);
  const asks = await second.asks();
  expect(asks.map(({ patterns, status }) => [patterns, status])).toEqual([[["a"], "open"], [["b"], "open"], [["c"], "open"]]);
  expect(runs).toEqual([]);
  const session = await second.session("one");
  for (const { id } of asks) await session.reply(id, { decision: "once" });
  expect(await session.resume()).toMatchObject({ outcome: "answered", text: "Done." });
  expect(runs.sort()).toEqual(["a", "b", "c"]);
  expect(await second.asks()).toEqual([]);
  await second.close();
});
