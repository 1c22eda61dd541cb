import { expect, it } from "vitest";
import { reply } from "throughline/testing";
import { expectDone, gatedTool, start } from "../session-under-test.ts";

it("a turn is settled before a compaction that somebody asked for meanwhile, and does not wait for it", async () => {
  const { gate, open, whenStarted } = gatedTool();
  const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("One."), [reply.stall()]], { tools: { gate } });
  const turn = test.session.prompt("Go");
  await whenStarted("a");
  const compacting = test.session.compact();
  compacting.catch(() => undefined);
  open("a");
  expect(await turn).toMatchObject({ outcome: "answered", text: "One." });
  await test.clock.advance(0);
  expect(test.session.status.type).toBe("compacting");
  await test.session.abort();
  await expect(compacting).rejects.toThrow();
  expectDone(test);
});
