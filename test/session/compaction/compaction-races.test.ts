import { describe, expect, it } from "vitest";
import { createAgent, defineTool, memoryStorage } from "throughline";
import type { Session } from "throughline";
import { crashMatrix, reply, scriptedModel } from "throughline/testing";
import type { ModelRequest } from "throughline/testing";
import { z } from "zod";
import { eventsOfType, expectDone, nextEvent, start, textsIn } from "../session-under-test.ts";
import { asksForSummary, summarizing, summaryText, textOf } from "./compaction-under-test.ts";

const limits = { context: 10_000, output: 1_000 };

/** A session with a long history, and what runs once its summary is asked for. */
async function longSession(during: (session: Session) => unknown, options: Parameters<typeof start>[1] = {}) {
  const running: Session[] = [];
  const test = await start(
    (request: ModelRequest) => {
      if (!asksForSummary(request)) return reply.text("Answer.");
      running.forEach(during);
      return reply.text(summaryText);
    },
    { contextLimits: limits, ...options },
  );
  running.push(test.session);
  for (const letter of ["a", "b", "c"]) await test.session.prompt(textOf(2_500, letter));
  return test;
}

describe("while a compaction runs", () => {
  it("a prompt that steers joins the turn, behind the summary", async () => {
    let steered: ReturnType<Session["prompt"]> | undefined;
    const test = await longSession((session) => (steered ??= session.prompt("And this.", { delivery: "steer" })));
    const turn = test.session.prompt(`Now this. ${textOf(2_000, "d")}`);
    expect(await turn).toMatchObject({ outcome: "answered" });
    expect(await steered).toMatchObject({ outcome: "answered" });
    expect(textsIn(test.model.requests.at(-1)).at(-1)).toBe("user: And this.");
    expectDone(test);
  });

  it("a prompt that queues waits for the turn", async () => {
    let queued: ReturnType<Session["prompt"]> | undefined;
    const test = await longSession((session) => (queued ??= session.prompt("Next.")));
    expect(await test.session.prompt(`Now this. ${textOf(2_000, "d")}`)).toMatchObject({ outcome: "answered", steps: 1 });
    expect(await queued).toMatchObject({ outcome: "answered" });
    expect(textsIn(test.model.requests.at(-2)).at(-1)).toMatch(/^user: Now this/);
    expect(textsIn(test.model.requests.at(-1)).at(-1)).toBe("user: Next.");
    expectDone(test);
  });

  it("abort() ends the turn, and stores nothing of it", async () => {
    let aborted: Promise<unknown> | undefined;
    const test = await longSession((session) => (aborted ??= session.abort()));
    expect(await test.session.prompt(textOf(2_000, "d")).settled).toMatchObject({ outcome: "aborted" });
    expect(eventsOfType(test.events, "session.compacted")).toEqual([]);
    expect(await test.session.prompt("Still there?")).toMatchObject({ outcome: "answered" });
    expectDone(test);
  });

  it.each(["prompt", "compact"] as const)("remove() ends the session during %s()", async (how) => {
    let removed: Promise<unknown> | undefined;
    const test = await longSession((session) => (removed ??= session.remove()));
    const work = how === "prompt" ? test.session.prompt(textOf(2_000, "d")).settled : test.session.compact().catch((error: unknown) => error);
    expect(await work).toBeDefined();
    await removed;
    expect(await test.storage.getSession(test.session.id)).toBeUndefined();
    expect(test.clock.pending()).toBe(0);
  });

  it("close() hands the turn over: another process makes the summary, and answers", async () => {
    let closed: Promise<unknown> | undefined;
    const test = await longSession((session) => (closed ??= session.close()));
    const turn = test.session.prompt(`Now this. ${textOf(2_000, "d")}`);
    await turn.settled;
    await closed;
    const model = scriptedModel(summarizing(() => reply.text("Answered elsewhere.")));
    const agent = createAgent({ model, storage: test.storage, clock: test.clock, contextLimits: limits });
    const session = await agent.session(test.session.id);
    const compactions = (): Promise<number> => session.messages().then((all) => all.filter(({ parts }) => parts.some(({ type }) => type === "compaction")).length);
    expect(await compactions()).toBe(0);
    await session.resume().settled.catch(() => undefined);
    await session.prompt("Go on.");
    expect(await compactions()).toBe(1);
    await agent.close();
    expect(test.clock.pending()).toBe(0);
  });
});

describe("session.compact()", () => {
  it("is refused while a turn waits for an answer that nobody waits for here", async () => {
    const tool = defineTool({ description: "Deletes.", input: z.object({}), execute: () => "gone" });
    const test = await start((_request, index) => (index === 0 ? reply.toolCall("tool", {}) : reply.text("Done.")), { tools: { tool }, permissions: [{ permission: "tool", action: "ask" }], asks: { mode: "release" } });
    expect(await test.session.prompt("Delete it.").settled).toMatchObject({ outcome: "waiting" });
    await expect(test.session.compact()).rejects.toMatchObject({ code: "conflict" });
    await test.session.abort();
    expect(test.clock.pending()).toBe(0);
  });

  it("in another process waits for the turn that runs here", async () => {
    const test = await start((request) => reply.text(asksForSummary(request) ? summaryText : textOf(3_000)));
    await test.session.prompt("One");
    const other = createAgent({ model: scriptedModel([reply.text(summaryText)]), storage: test.storage, clock: test.clock });
    const there = await other.session(test.session.id);
    const turn = test.session.prompt("Two");
    await nextEvent(test.session, "step.started");
    const compaction = there.compact();
    await turn;
    for (let poll = 0; poll < 20; poll += 1) await test.clock.advance(250);
    expect(await compaction).toBeDefined();
    await test.session.prompt("Three");
    expect(textsIn(test.model.requests.at(-1))[0]).toMatch(/^user: \[Context: a summary/);
    await other.close();
    expectDone(test);
  });
});

describe("a process that dies in a compaction, twice", () => {
  it("leaves every prompt its outcome, and requests valid", async () => {
    const { points } = await crashMatrix({
      name: "compaction",
      storage: async ({ clock }) => {
        const storage = memoryStorage({ clock });
        return { storage, reopen: async () => storage };
      },
      agent: () => ({ model: scriptedModel(summarizing(() => reply.text(textOf(2_000)))), contextLimits: limits }),
      run: async (session) => {
        for (const letter of ["a", "b"]) await session.prompt(textOf(2_500, letter));
        await session.prompt(`Now this. ${textOf(1_500, "d")}`);
      },
    }, { crashes: 2 });
    expect(points).toBeGreaterThan(10);
  }, 60_000);
});
