import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool, type Turn } from "throughline";
import { reply, type Reply } from "throughline/testing";
import { z } from "zod";
import { expectDone, nextEvent, start } from "./session-under-test.ts";

const tools = {
  echo: defineTool({ description: "Echoes.", input: z.object({ text: z.string() }), execute: ({ text }) => text }),
  hangs: defineTool({ description: "Never ends, and takes no notice.", input: z.object({}), execute: () => new Promise<string>(() => undefined) }),
};

const modelReply = fc.constantFrom<Reply>(
  reply.text("Hello!", { chunks: 3 }),
  [reply.reasoning("Hm.", { chunks: 2 }), reply.toolCall("echo", { text: "a" }, { chunks: 2 })],
  [reply.toolCall("echo", { text: "a" }), reply.toolCall("hangs"), reply.toolCall("nope")],
  [reply.text("Half", { chunks: 2 }), reply.stall()],
  [reply.text("Half", { chunks: 2 }), reply.stall({ ignoreAbort: true })],
  reply.stall({ beforeStream: true, ignoreAbort: true }),
  [reply.text("Half"), reply.error(new Error("broke"))],
  [reply.toolCall("echo", { text: "cut" }), reply.finish("length")],
);

describe("an abort at any moment of any turn", () => {
  it("leaves a session that is idle, has one outcome per prompt, no timer, and answers the next prompt", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(modelReply, { minLength: 1, maxLength: 4 }), fc.nat({ max: 60 }), fc.constantFrom("keep", "cancel"), async (replies, moment, queue) => {
        let aborted = false;
        const test = await start((_request, index) => (aborted ? reply.text("Going on.") : replies[index % replies.length]), { tools, maxSteps: 4, asks: { timeoutMs: 0 } });
        let heard = 0;
        const stopListening = test.session.on("*", () => {
          heard += 1;
          if (heard !== moment) return;
          aborted = true;
          void test.session.abort({ queue: queue === "keep" ? "keep" : "cancel" });
        });
        const turns: Turn[] = [test.session.prompt("One"), test.session.prompt("Two")];
        let open = turns.length;
        for (const turn of turns) void turn.settled.then(() => (open -= 1));
        await nextEvent(test.session, "session.status");
        // Whatever hangs is ended by the abort, or at last by its limit.
        for (let waits = 0; open > 0 && waits < 40; waits += 1) await test.clock.advance(30_000);
        expect(open).toBe(0);

        stopListening();
        aborted = true;
        expect(await test.session.prompt("Go on")).toMatchObject({ outcome: "answered", text: "Going on." });
        const results = await Promise.all(turns.map(({ settled }) => settled));
        const stored = (await test.session.messages()).flatMap(({ info }) => (info.role === "user" ? [info.outcome?.type] : []));
        const expected = [...results.map(({ outcome }) => outcome).filter((outcome) => outcome !== "cancelled"), "answered"];
        expect(stored).toEqual(expected);
        const finished = test.events.flatMap((event) => (event.type === "turn.finished" ? [event.messageID] : []));
        expect(new Set(finished).size).toBe(finished.length);
        expectDone(test);
      }),
      { numRuns: 150 },
    );
  }, 20_000);
});
