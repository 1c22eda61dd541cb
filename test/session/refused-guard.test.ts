import { describe, expect, it } from "vitest";
import { memoryStorage, PromptNotFoundError } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { intercepted, isCommitOf } from "../adversarial/faulty-storage.ts";
import { gatedTool, start } from "./session-under-test.ts";

describe("a write that a guard refuses concerns its caller alone", () => {
  it("a prompt that waits is answered, when a cancel is refused between two turns", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    let refusal: unknown;
    test.session.once("turn.finished", ({ messageID }) => {
      test.session.cancel(messageID).catch((error: unknown) => {
        refusal = error;
      });
    });
    const first = test.session.prompt("1");
    const second = test.session.prompt("2");
    expect((await first).text).toBe("One.");
    expect(await second.settled).toMatchObject({ outcome: "answered", text: "Two." });
    expect(refusal).toBeInstanceOf(PromptNotFoundError);
    expect(test.problems).toEqual([]);
  });

  it("so it is when a prompt is refused for its id", async () => {
    const test = await start([reply.text("Zero."), reply.text("One."), reply.text("Two.")]);
    await test.session.prompt("0", { id: "used" });
    test.session.once("turn.finished", () => {
      void test.session.prompt("other", { id: "used" }).settled;
    });
    const first = test.session.prompt("1");
    const second = test.session.prompt("2");
    await first;
    expect(await second.settled).toMatchObject({ outcome: "answered", text: "Two." });
  });

  it("the queue can be listed meanwhile", async () => {
    const clock = manualClock();
    let letGo = (): void => undefined;
    const storage = intercepted(memoryStorage({ clock }), async (method, next, _count, given) => {
      if (isCommitOf("prompt.cancel", method, given)) await new Promise<void>((resolve) => (letGo = resolve));
      return next();
    });
    const { gate, whenStarted, open } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" }), reply.text("Done.")], { clock, storage, tools: { gate } });
    const first = test.session.prompt("1");
    await whenStarted("a");
    const cancelling = test.session.cancel(first.messageID).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    const queue = test.session.queue();
    letGo();
    expect(await queue).toEqual([]);
    open("a");
    await first;
    expect(await cancelling).toBeInstanceOf(PromptNotFoundError);
  });
});
