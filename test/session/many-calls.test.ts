import { expect, test, vi } from "vitest";
import { reply } from "throughline/testing";
import { defineTool } from "throughline";
import { z } from "zod";
import { expectDone, start } from "./session-under-test.ts";

test("many calls at once wait for the turn's signal without a warning of the runtime", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  try {
    const echo = defineTool({
      description: "Says a number.",
      input: z.object({ n: z.number() }),
      execute: async ({ n }) => {
        await Promise.resolve();
        return String(n);
      },
    });
    const calls = Array.from({ length: 30 }, (_, n) => reply.toolCall("echo", { n }));
    const run = await start([calls, reply.text("Done.")], { tools: { echo }, concurrency: { tools: 30 } });
    expect((await run.session.prompt("Go.")).text).toBe("Done.");
    expectDone(run);
    expect(warn).not.toHaveBeenCalled();
  } finally {
    warn.mockRestore();
  }
});
