import { describe, expect, it } from "vitest";
import { ConflictError, createAgent, memoryStorage } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { expectDone, start } from "./session-under-test.ts";

describe("a prompt that is refused", () => {
  it("takes no event of the running turn along", async () => {
    const clock = manualClock();
    const memory = memoryStorage({ clock });
    const test = await start([reply.text("Taken."), reply.text("x".repeat(50), { chunks: 50 })], { clock, storage: memory });
    const other = await createAgent({ model: test.model, storage: memory, clock }).session(test.session.id);
    await other.prompt("taken", { id: "taken" });
    let streamed = "";
    test.session.on("part.delta", ({ delta }) => {
      streamed += delta;
      if (streamed.length % 10 === 1) void test.session.prompt("another", { id: "taken" }).settled;
    });
    const turn = test.session.prompt("Hi");
    await turn.settled;
    expect(streamed).toBe("x".repeat(50));
  });
});

describe("a prompt's own id", () => {
  it("is accepted once: the same content again is the same turn", async () => {
    const test = await start([reply.text("One.")]);
    const first = test.session.prompt("Hi", { id: "delivery-1" });
    const again = test.session.prompt("Hi", { id: "delivery-1" });
    expect([first.messageID, again.messageID]).toEqual(["delivery-1", "delivery-1"]);
    expect(await again).toEqual(await first);
    // Also when it is long over.
    expect(await test.session.prompt("Hi", { id: "delivery-1" })).toMatchObject({ outcome: "answered", text: "One.", steps: 1 });
    expect(await test.session.messages()).toHaveLength(2);
    expectDone(test);
  });

  it("is refused with other content, while it runs and after", async () => {
    const test = await start([reply.text("One.")]);
    const first = test.session.prompt("Hi", { id: "delivery-1" });
    await expect(test.session.prompt("Ho", { id: "delivery-1" })).rejects.toThrow(ConflictError);
    expect((await first).text).toBe("One.");
    const late = test.session.prompt("Ho", { id: "delivery-1" });
    await expect(late).rejects.toThrow(ConflictError);
    await expect(late.accepted).rejects.toThrow(/id "delivery-1".*another content/);
    expectDone(test);
  });

  it("gives the same turn from another process, and after a failure its error again", async () => {
    const test = await start([reply.error(new Error("no"))]);
    await test.session.prompt("Hi", { id: "p" }).settled;
    const other = await createAgent({ model: test.model, storage: test.storage, clock: test.clock }).session(test.session.id);
    await expect(other.prompt("Hi", { id: "p" })).rejects.toThrow("no");
    expectDone(test);
  });
});
