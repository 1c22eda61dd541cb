import { describe, expect, it } from "vitest";
import { createAgent, InterruptedTurnError, memoryStorage, SessionClosedError, SessionNotFoundError, type Clock, type Session, type Storage } from "throughline";
import { manualClock, reply, scriptedModel, strictModel, type Reply, type ScriptedModel, type StrictModel } from "throughline/testing";
import { echoTool, expectDone, nextEvent, start, type SessionUnderTest } from "./session-under-test.ts";

/** The same session through a new agent on the same storage, as after a restart. */
async function reopen(test: SessionUnderTest, script: readonly Reply[]): Promise<{ session: Session; model: ScriptedModel & StrictModel }> {
  const { echo } = echoTool();
  const model = strictModel(scriptedModel(script));
  return { session: await createAgent({ model, storage: test.storage, clock: test.clock, tools: { echo } }).session(test.session.id), model };
}

const eventful: Reply[] = [
  [reply.reasoning("Let me think.", { signature: "sig-1" }), reply.text("Looking."), reply.toolCall("echo", { text: "a" }), reply.toolCall("echo", { txt: "b" })],
  [reply.text("Found it."), reply.source("https://example.com")],
];

describe("a session that is opened again", () => {
  it("has its messages, its title and its totals", async () => {
    const { echo } = echoTool();
    const test = await start(eventful, { tools: { echo } });
    await test.session.prompt("What is in there?");
    const { session } = await reopen(test, []);
    expect(await session.messages()).toEqual(await test.session.messages());
    expect(session.info).toEqual(await test.storage.getSession(test.session.id));
    expect(session.info.title).toBe("What is in there?");
    expect(session.info.tokens).toEqual(test.session.info.tokens);
    expect(session.status).toEqual({ type: "idle" });
  });

  it("R191, VoltAgent/voltagent#1130: sends the same request, byte for byte, as the one that stayed open", async () => {
    const requests: string[] = [];
    for (const mode of ["live", "reopened"]) {
      const { echo } = echoTool();
      let id = 0;
      const test = await start([...eventful, ...(mode === "live" ? [reply.text("Yes.")] : [])], { tools: { echo }, ids: (prefix) => `${prefix}_${(id += 1)}` });
      await test.session.prompt("What is in there?");
      if (mode === "live") {
        await test.session.prompt("Sure?");
        requests.push(JSON.stringify(test.model.requests.at(-1)));
        expectDone(test);
      } else {
        const { session, model } = await reopen(test, [reply.text("Yes.")]);
        await session.prompt("Sure?");
        requests.push(JSON.stringify(model.requests.at(-1)));
      }
    }
    expect(requests[1]).toBe(requests[0]);
    expect(requests[0]).toContain("sig-1");
  });

  it("begins each request with the one before it", async () => {
    const { echo } = echoTool();
    const test = await start([...eventful, reply.toolCall("echo", { text: "c" }), reply.text("Yes.")], { tools: { echo }, instructions: "Be brief." });
    await test.session.prompt("What is in there?");
    await test.session.prompt("Sure?");
    for (const [index, request] of test.model.requests.slice(1).entries()) {
      const previous = JSON.stringify(test.model.requests[index]?.prompt).slice(0, -1);
      expect(JSON.stringify(request.prompt).startsWith(previous)).toBe(true);
    }
    expectDone(test);
  });

  it("resumes nothing by itself: a prompt that a crash cut short is told so, and the next one is answered", async () => {
    const clock = manualClock();
    const { storage, crash } = crashingStorage(clock);
    const test = await start([[reply.text("Half an ans"), reply.toolCall("echo", { text: "a" }), reply.stall()]], { storage: storage.dying, clock });
    const lost = test.session.prompt("Hi", { id: "p" });
    await nextEvent(test.session, "part.updated", ({ part }) => part.type === "tool");
    await clock.advance(300);
    crash();
    // Its lease outlives the process by its time to live; and it notices by itself that it reaches the store no more.
    await clock.advance(300_000);
    expect((await lost.settled).outcome).toBe("error");

    const { session, model } = await reopen({ ...test, clock, storage: storage.surviving }, [reply.text("Fresh.")]);
    await expect(session.prompt("Hi", { id: "p" })).rejects.toThrow(InterruptedTurnError);
    expect(model.calls).toBe(0);
    expect((await session.prompt("Again")).text).toBe("Fresh.");
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain("Half an ans");
    expect(model.violations).toEqual([]);
  });
});

/** One store as two processes see it: from the crash on the dying one reaches it no more. */
function crashingStorage(clock: Clock): { storage: { dying: Storage; surviving: Storage }; crash: () => void } {
  const surviving = memoryStorage({ clock });
  let crashed = false;
  const never = <T>(): Promise<T> => new Promise(() => undefined);
  const dying: Storage = {
    ...surviving,
    commit: (batch) => (crashed ? never() : surviving.commit(batch)),
    acquireLease: (...lease) => (crashed ? never() : surviving.acquireLease(...lease)),
    releaseLease: (...lease) => (crashed ? never() : surviving.releaseLease(...lease)),
  };
  return { storage: { dying, surviving }, crash: () => (crashed = true) };
}

describe("messages()", () => {
  it("gives pages, newest last", async () => {
    const test = await start(() => reply.text("Answer."));
    for (let count = 0; count < 5; count += 1) await test.session.prompt(`Question ${count}`);
    const all = await test.session.messages();
    expect(all.map(({ info }) => info.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const newest = await test.session.messages({ limit: 3 });
    expect(newest).toEqual(all.slice(7));
    expect(await test.session.messages({ limit: 3, before: newest[0]?.info.id })).toEqual(all.slice(4, 7));
    expect(await test.session.messages({ before: all[1]?.info.id })).toEqual(all.slice(0, 1));
  });

  it("gives all of a long session", async () => {
    const test = await start(() => reply.text("Answer."));
    for (let count = 0; count < 150; count += 1) await test.session.prompt("Question");
    expect(await test.session.messages()).toHaveLength(300);
    expect(await test.session.messages({ limit: 250 })).toHaveLength(250);
  });
});

describe("a session that was closed", () => {
  it("refuses prompts, and can be opened again", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    await test.session.prompt("1");
    await test.session.close();
    expect(test.events.at(-1)?.type).toBe("session.closed");
    expect(() => test.session.prompt("2")).toThrow(SessionClosedError);
    await test.session.close();
    const again = await test.agent.session(test.session.id);
    expect(again).not.toBe(test.session);
    expect((await again.prompt("2")).text).toBe("Two.");
    expectDone(test);
  });

  it("keeps the prompts that waited: they run when it is prompted again", async () => {
    const test = await start([reply.stall(), reply.text("Two."), reply.text("Three.")]);
    test.session.prompt("1");
    const waiting = test.session.prompt("2");
    await nextEvent(test.session, "step.started");
    await waiting.accepted;
    await test.session.close();
    const again = await test.agent.session(test.session.id);
    expect((await again.queue()).map(({ info }) => info.id)).toEqual([waiting.messageID]);
    expect((await again.prompt("3")).text).toBe("Three.");
    expect((await again.messages()).map(({ info }) => (info.role === "user" ? info.outcome?.type : info.role))).toEqual(["aborted", "assistant", "answered", "assistant", "answered", "assistant"]);
    expectDone(test);
  });
});

describe("a prompt that waited in a closed session, and runs in another one,", () => {
  it("can be aborted there, though nobody there has its turn", async () => {
    const test = await start([reply.stall(), reply.stall(), reply.text("Three.")]);
    test.session.prompt("1");
    await nextEvent(test.session, "step.started");
    await test.session.prompt("2", { id: "second" }).accepted;
    await test.session.close();
    const again = await test.agent.session(test.session.id);
    const third = again.prompt("3");
    await nextEvent(again, "step.started");
    await again.abort();
    expect((await third).text).toBe("Three.");
    expect((await again.messages()).find(({ info }) => info.id === "second")?.info).toMatchObject({ outcome: { type: "aborted" } });
    expectDone(test);
  });
});

describe("remove()", () => {
  it("takes the session with everything out of the storage", async () => {
    const test = await start([reply.text("A secret.")]);
    await test.session.prompt("Hi");
    const { id } = test.session;
    await test.session.remove();
    expect(test.events.at(-1)?.type).toBe("session.deleted");
    expect(await test.storage.getSession(id)).toBeUndefined();
    await expect(test.agent.session(id)).rejects.toThrow(SessionNotFoundError);
    expect(() => test.session.prompt("Hi")).toThrow(SessionClosedError);
    expect((await test.agent.sessions()).items).toEqual([]);
    expectDone(test);
  });

  it("during a turn ends it first; late writes bring nothing back", async () => {
    const test = await start([[reply.text("A secret."), reply.stall()]]);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "part.delta");
    await test.session.remove();
    expect((await turn.settled).outcome).toBe("aborted");
    await test.clock.runAll();
    expect(await test.storage.getSession(test.session.id)).toBeUndefined();
    expectDone(test);
  });

  it("and a new session of the same id know nothing of each other", async () => {
    const test = await start([reply.text("A secret."), (request) => reply.text(String(JSON.stringify(request.prompt).includes("secret")))]);
    const first = await test.agent.session({ id: "thread" });
    await first.prompt("Hi");
    await first.remove();
    const second = await test.agent.session({ id: "thread" });
    expect((await second.prompt("Hi")).text).toBe("false");
    expect(await second.messages()).toHaveLength(2);
  });
});
