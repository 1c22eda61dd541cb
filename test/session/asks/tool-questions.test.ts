import { describe, expect, it } from "vitest";
import { AskRejectedError, InvalidArgumentError, Processor } from "throughline";
import type { ToolContext, ToolQuestion } from "throughline";
import { reply } from "throughline/testing";
import { expectDone, gatedTool, nextEvent, resultsIn, start } from "../session-under-test.ts";
import { sharedStore } from "../recovery/crash.ts";
import { askStory, bashTool, callStates, nextAsk, nextAsks, workTool } from "./asked.ts";

describe("a tool that asks while it runs", () => {
  it("gets the answer, and its time stands still while it waits", async () => {
    const work = workTool(async (context) => {
      const answer = await context.ask({ title: "Which branch?", impact: "Deletes it." });
      return JSON.stringify(answer);
    }, { timeoutMs: 1_000 });
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work } });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    expect(ask).toMatchObject({ title: "Which branch?", impact: "Deletes it.", permission: "question", patterns: [], always: [], tool: "work", callID: "call_1", status: "open" });
    expect(await callStates(test.session)).toEqual(["running"]);
    expect(test.session.status).toEqual({ type: "waiting" });
    await test.clock.advance(10 * 3_600_000);
    await test.session.reply(ask.id, { decision: "answer", answers: { branch: "main" } });
    expect(await turn).toMatchObject({ outcome: "answered" });
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "text", '{"decision":"answer","answers":{"branch":"main"}}']]);
    expectDone(test);
  });

  it("has the rest of its time after the answer", async () => {
    const work = workTool(async (context) => {
      await new Promise<void>((resolve) => test.clock.setTimeout(resolve, 600));
      await context.ask({ title: "Go on?" });
      await new Promise(() => undefined);
      return "";
    }, { timeoutMs: 1_000 });
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work } });
    const asked = nextAsk(test.session);
    const turn = test.session.prompt("Hi");
    await nextEvent(test.session, "tool.started");
    await test.clock.advance(600);
    const { id } = await asked;
    await test.clock.advance(5_000);
    await test.session.reply(id, { decision: "once" });
    await test.clock.advance(399);
    expect(await callStates(test.session)).toEqual(["running"]);
    await test.clock.advance(1);
    expect(await turn).toMatchObject({ outcome: "answered", toolErrors: [{ error: expect.stringContaining("did not end within 1000 ms") as string }] });
    expectDone(test);
  });

  it("holds neither a turn slot nor a tool slot while it waits", async () => {
    const { bash, runs } = bashTool();
    const work = workTool(async (context) => (await context.ask({ title: "Sure?" })).decision);
    const test = await start([[reply.toolCall("work", {}), reply.toolCall("bash", { command: "ls" })].flat(), reply.text("Other."), reply.text("Done.")], { tools: { bash, work }, concurrency: { turns: 1, tools: 1 } });
    const turn = test.session.prompt("Hi");
    const ran = nextEvent(test.session, "tool.finished", ({ tool }) => tool === "bash");
    const { id } = await nextAsk(test.session);
    await ran;
    expect(runs).toEqual(["ls"]);
    expect(await (await test.agent.session()).prompt("Hi")).toMatchObject({ text: "Other." });
    await test.session.reply(id, { decision: "once" });
    expect(await turn).toMatchObject({ text: "Done." });
    expectDone(test);
  });

  it("for two answers at once is one tool that waits: what runs beside it keeps the turn's slot", async () => {
    const { gate, whenStarted, open } = gatedTool();
    const work = workTool(async ({ ask }) => JSON.stringify((await Promise.all([ask({ title: "One?" }), ask({ title: "Two?" })])).map(({ answers }) => answers)));
    const both = [reply.toolCall("work", {}), reply.toolCall("gate", { name: "g" })].flat();
    const test = await start([both, reply.text("Other."), reply.text("Done.")], { tools: { work, gate }, concurrency: { turns: 1 } });
    const turn = test.session.prompt("Hi");
    const asked = nextAsks(test.session, 2);
    await whenStarted("g");
    const asks = await asked;
    const other = (await test.agent.session()).prompt("Hi");
    await other.accepted;
    await test.clock.advance(1);
    expect(test.model.requests).toHaveLength(1);
    open("g");
    expect(await other).toMatchObject({ text: "Other." });
    for (const [index, { id }] of asks.entries()) await test.session.reply(id, { decision: "answer", answers: index });
    expect(await turn).toMatchObject({ text: "Done.", toolErrors: [] });
    expect(resultsIn(test.model.requests[2])[0]?.[2]).toBe("[0,1]");
    expectDone(test);
  });

  it("for leave gets none when it is denied by the time that it is answered", async () => {
    let action: "ask" | "deny" = "ask";
    const work = workTool(({ ask }) => ask({ title: "Push?", permission: "git", patterns: ["push"] }).then(() => "pushed", (error: unknown) => (error as Error).message));
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work }, permissions: ({ permission }) => (permission === "git" ? action : "allow") });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    action = "deny";
    await test.session.reply(id, { decision: "once" });
    await turn;
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toContain("not permitted");
    expectDone(test);
  });

  it("for leave is answered by the rules where they say enough", async () => {
    const seen: string[] = [];
    const work = workTool(async ({ ask }) => {
      for (const path of ["a", "b", "c"]) {
        const { decision } = await ask({ title: `Write ${path}`, permission: "write", patterns: [path] }).catch((error: unknown) => ({ decision: (error as Error).name }));
        seen.push(`${path} ${decision}`);
      }
      return "done";
    });
    const permissions = [{ permission: "write", pattern: "a", action: "allow" } as const, { permission: "write", pattern: "b", action: "deny" } as const];
    const test = await start([reply.toolCall("work", {}), reply.toolCall("work", {}), reply.text("Done.")], { tools: { work }, permissions });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    expect(ask).toMatchObject({ permission: "write", patterns: ["c"], always: ["c"] });
    await test.session.reply(ask.id, { decision: "always" });
    await turn;
    // The second time the saved rule answers.
    expect(seen).toEqual(["a once", "b AskRejectedError", "c always", "a once", "b AskRejectedError", "c once"]);
    expectDone(test);
  });

  it.each([
    [undefined, "rejected", 1],
    ["Not today.", "answered", 2],
  ])("and is rejected (%s) ends with a result that says so; the turn is %s", async (message, outcome, calls) => {
    const work = workTool(async ({ ask }) => (await ask({ title: "Sure?" })).decision);
    const test = await start([reply.toolCall("work", {}), ...(calls === 2 ? [reply.text("Done.")] : [])], { tools: { work } });
    const turn = test.session.prompt("Hi");
    const { id } = await nextAsk(test.session);
    await test.session.reply(id, { decision: "reject", message });
    expect(await turn).toMatchObject({ outcome, toolErrors: [{ error: expect.stringContaining(message ?? "rejected it") as string }] });
    expectDone(test);
  });

  it("and deals with a rejection itself has the result that it gives", async () => {
    const errors: unknown[] = [];
    const work = workTool(({ ask }) => ask({ title: "Sure?" }).then(() => "did it", (error: unknown) => { errors.push(error); return "left it"; }));
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work } });
    const turn = test.session.prompt("Hi");
    await test.session.reply((await nextAsk(test.session)).id, { decision: "reject" });
    expect(await turn).toMatchObject({ outcome: "answered", toolErrors: [] });
    expect(errors).toEqual([expect.any(AskRejectedError)]);
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toBe("left it");
    expectDone(test);
  });

  it("and gets no answer in its time goes on without one", async () => {
    const work = workTool(({ ask }) => ask({ title: "Sure?", timeoutMs: 5_000 }).then(() => "yes", (error: unknown) => (error as Error).message));
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work } });
    const turn = test.session.prompt("Hi");
    await nextAsk(test.session);
    await test.clock.advance(5_000);
    await turn;
    expect(resultsIn(test.model.requests[1])[0]?.[2]).toContain("Nobody answered in time");
    expectDone(test);
  });

  it("and ends before the answer closes its question", async () => {
    const work = workTool(({ ask }) => {
      ask({ title: "Sure?" }).catch(() => undefined);
      return Promise.resolve("did not wait");
    });
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work } });
    expect(await test.session.prompt("Hi")).toMatchObject({ outcome: "answered" });
    expect(askStory(test.events)).toEqual(["ask.created ", "ask.closed "]);
    expect(await test.session.asks()).toEqual([]);
    expectDone(test);
  });

  it.each(["the turn goes on", "its turn is over"])("after it has ended, while %s, asks nobody", async (when) => {
    const leaked: ToolContext[] = [];
    const work = workTool((context) => Promise.resolve(String(leaked.push(context))));
    const { gate, whenStarted, open } = gatedTool();
    const test = await start([reply.toolCall("work", {}), reply.toolCall("gate", { name: "g" }), reply.text("Done."), reply.text("Again.")], { tools: { work, gate } });
    const turn = test.session.prompt("Hi");
    await whenStarted("g");
    if (when === "its turn is over") {
      open("g");
      await turn;
    }
    await expect(leaked[0]?.ask({ title: "Late?" })).rejects.toThrow(AskRejectedError);
    expect(test.session.status.type).toBe(when === "its turn is over" ? "idle" : "busy");
    expect(await test.session.asks()).toEqual([]);
    open("g");
    await turn;
    // Nor does it hurt what follows.
    expect(await test.session.prompt("Again?")).toMatchObject({ text: "Again." });
    expect(askStory(test.events)).toEqual([]);
    expectDone(test);
  });

  it("hears of an abort, and its question is closed", async () => {
    const work = workTool(async ({ ask }) => (await ask({ title: "Sure?" })).decision);
    const test = await start([reply.toolCall("work", {})], { tools: { work } });
    const turn = test.session.prompt("Hi");
    await nextAsk(test.session);
    await test.session.abort();
    expect(await turn.settled).toMatchObject({ outcome: "aborted" });
    expect(await test.session.asks()).toEqual([]);
    expectDone(test);
  });

  it("with something that is no question is told so", async () => {
    const wrong: [unknown, string][] = [[{}, "title"], [{ title: "" }, "title"], [{ title: "a", patterns: ["b"] }, "patterns"], [{ title: "a", permission: "p", patterns: "b" }, "patterns"], [{ title: "a", timeoutMs: -1 }, "timeoutMs"], [{ title: "a", extra: 1 }, "extra"], ["Sure?", "options object"]];
    const messages: string[] = [];
    const work = workTool(async ({ ask }) => {
      for (const [question] of wrong) await ask(question as ToolQuestion).catch((error: unknown) => messages.push(error instanceof InvalidArgumentError ? error.message : "other"));
      return "done";
    });
    const test = await start([reply.toolCall("work", {}), reply.text("Done.")], { tools: { work } });
    await test.session.prompt("Hi");
    expect(messages).toEqual(wrong.map(([, what]) => expect.stringContaining(what) as string));
    expectDone(test);
  });

  it("waits in place also where turns are released, and its process may die over it", async () => {
    const store = sharedStore();
    const work = workTool(async ({ ask }) => (await ask({ title: "Sure?" })).decision);
    const dead = await store.start([reply.toolCall("work", {})], { tools: { work }, asks: { mode: "release" } });
    const asked = nextAsk(dead.session);
    void dead.session.prompt("Hi");
    await asked;
    await store.crash();
    const next = await store.start([reply.text("Done.")], { tools: { work } });
    expect(await next.session.resume()).toMatchObject({ outcome: "answered", toolErrors: [{ error: expect.stringContaining("outcome is unknown") as string }] });
    // Nobody waits for the answer any more.
    expect(await next.session.asks()).toEqual([]);
  });

  it("asks again when it is idempotent and runs again", async () => {
    const store = sharedStore();
    const work = workTool(async ({ ask }) => (await ask({ title: "Sure?" })).decision, { idempotent: true });
    const dead = await store.start([reply.toolCall("work", {})], { tools: { work } });
    const asked = nextAsk(dead.session);
    void dead.session.prompt("Hi");
    const old = await asked;
    await store.crash();
    const next = await store.start([reply.text("Done.")], { tools: { work } });
    const askedAgain = nextAsk(next.session);
    const turn = next.session.resume();
    const ask = await askedAgain;
    expect(ask.id).not.toBe(old.id);
    expect((await next.session.asks()).map(({ id }) => id)).toEqual([ask.id]);
    await next.session.reply(ask.id, { decision: "once" });
    expect(await turn).toMatchObject({ outcome: "answered", toolErrors: [] });
  });
});

describe("a processor without a session", () => {
  it("has nobody to ask", async () => {
    const { bash } = bashTool({ defaultAction: "ask" });
    const test = await start([]);
    const processor = new Processor({ clock: test.clock });
    const { scriptedModel } = await import("throughline/testing");
    const model = scriptedModel([reply.toolCall("bash", { command: "ls" })]);
    const user = { id: "msg_1", sessionID: "s", role: "user" as const, agent: "a", model: { providerID: "p", modelID: "m" }, time: { created: 0 } };
    await processor.process({ session: { id: "s", rootID: "s" }, user, agent: "a", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: { bash }, model });
    expect(processor.parts.find((part) => part.type === "tool")).toMatchObject({ state: { status: "error", error: expect.stringContaining("nobody can be asked") as string } });
  });
});
