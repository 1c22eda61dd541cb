import { describe, expect, it } from "vitest";
import { ConflictError, createAgent, memoryStorage, SessionClosedError, SessionNotFoundError } from "throughline";
import { manualClock, reply, scriptedModel } from "throughline/testing";
import { intercepted } from "../adversarial/faulty-storage.ts";
import { expectDone, gatedTool, start } from "./session-under-test.ts";

describe("a removal", () => {
  it("that is refused leaves a session that can be opened again", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const owner = await start([reply.toolCall("gate", { name: "a" }), reply.text("One.")], { tools: { gate } });
    const turn = owner.session.prompt("1");
    await whenStarted("a");
    const agent = createAgent({ model: scriptedModel([reply.text("Two.")]), storage: owner.storage, clock: owner.clock });
    const session = await agent.session(owner.session.id);
    const heard: string[] = [];
    agent.on("*", ({ type }) => heard.push(type));
    await expect(session.remove()).rejects.toThrow(ConflictError);
    expect(heard).toEqual(["session.closed"]);
    expect(() => session.prompt("2")).toThrow(SessionClosedError);
    open("a");
    await turn;
    const again = await agent.session(owner.session.id);
    expect((await again.prompt("2")).text).toBe("Two.");
    expectDone(owner);
  });

  it("is waited for by whoever opens the session meanwhile: by key it is a new one, by id unknown", async () => {
    const agent = createAgent({ model: scriptedModel([reply.text("Hi.")]) });
    const session = await agent.session({ id: "thread" });
    const removal = session.remove();
    const byID = agent.session("thread");
    await expect(byID).rejects.toThrow(SessionNotFoundError);
    await removal;
    const second = await agent.session({ id: "thread" });
    const removalOfSecond = second.remove();
    const third = await agent.session({ id: "thread" });
    await removalOfSecond;
    expect((await third.prompt("Hi")).text).toBe("Hi.");
  });

  it("of an object that is closed never reaches the session that was opened since", async () => {
    const test = await start([reply.text("Kept.")]);
    await test.session.close();
    const again = await test.agent.session(test.session.id);
    await again.prompt("Hi");
    await expect(test.session.remove()).rejects.toThrow(SessionClosedError);
    expect(await test.agent.session(test.session.id)).toBe(again);
    expect(await again.messages()).toHaveLength(2);
  });

  it("whose lease cannot be given back is a removal all the same", async () => {
    const clock = manualClock();
    const storage = intercepted(memoryStorage({ clock }), (method, next) => (method === "releaseLease" ? Promise.reject(new Error("connection reset")) : next()));
    const test = await start([], { clock, storage });
    const removal = test.session.remove();
    await clock.advance(1000);
    await removal;
    expect(test.events.map(({ type }) => type)).toEqual(["session.deleted"]);
  });
});
