import { describe, expect, it } from "vitest";
import { reply } from "throughline/testing";
import { z } from "zod";
import { echoTool, eventsOfType, expectDone, gatedTool, nextEvent, resultsIn, start, textsIn } from "./session-under-test.ts";

describe("reports about loops that end too early, too late, or never", () => {
  it("R73: calls that end with `stop` run, and the model sees their results", async () => {
    const { echo, runs } = echoTool();
    const test = await start([[reply.toolCall("echo", { text: "a" }), reply.finish("stop")], reply.text("Done.")], { tools: { echo } });
    expect(await test.session.prompt("Go")).toMatchObject({ outcome: "answered", text: "Done.", steps: 2 });
    expect(runs).toEqual(["a"]);
    expectDone(test);
  });

  it.each(['{"text":"half"}', '{"text":"ha'])("R77: a call that the output limit has cut does not run, and its result says so: %s", async (input) => {
    const { echo, runs } = echoTool();
    const test = await start([[reply.toolCall("echo", input), reply.finish("length")], reply.text("Shorter, then.")], { tools: { echo } });
    expect((await test.session.prompt("Go")).text).toBe("Shorter, then.");
    expect(runs).toEqual([]);
    expect(resultsIn(test.model.requests[1])).toEqual([["call_1", "error-text", expect.stringMatching(/output limit/)]]);
    expectDone(test);
  });

  it.each<[string, string]>([["R78: sorts behind all others", "zzz_from_a_clock_that_is_ahead"], ["R78: sorts before them", "000"]])("%s: a prompt with an own id has one answer", async (_what, id) => {
    const test = await start([reply.text("Hi.")]);
    const { messages } = await test.session.prompt("Hi", { id });
    expect(messages.map(({ info }) => info.parentID)).toEqual([id]);
    expectDone(test);
  });

  it("R81: while the clock stands still each prompt has its own answer", async () => {
    const test = await start([1, 2, 3].map((number) => reply.text(`${number}`)));
    const turns = [1, 2, 3].map((number) => test.session.prompt(`${number}`));
    expect((await Promise.all(turns)).map(({ text, messages }) => [text, messages[0]?.info.parentID])).toEqual(turns.map(({ messageID }, index) => [`${index + 1}`, messageID]));
    expect(test.clock.monotonic()).toBe(0);
    expectDone(test);
  });

  it("R84: a tool that never ends and ignores its signal does not hold up an abort, and its late result is not stored", async () => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start([reply.toolCall("gate", { name: "a" })], { tools: { gate } });
    const turn = test.session.prompt("Go").settled;
    await whenStarted("a");
    const aborted = test.session.abort();
    await test.clock.advance(250);
    await aborted;
    open("a", "late");
    await test.clock.advance(0);
    expect(await turn).toMatchObject({ outcome: "aborted" });
    expect(JSON.stringify(await test.session.messages())).not.toContain('"late"');
    expectDone(test);
  });

  it("R92: who awaits a prompt finds the session idle, and the answer stored", async () => {
    const test = await start([reply.text("Hi.")]);
    await test.session.prompt("Hi");
    expect(test.session.status).toEqual({ type: "idle" });
    expect((await test.storage.listMessages(test.session.id)).items[0]?.parts.some((part) => part.type === "text" && part.text === "Hi.")).toBe(true);
    expectDone(test);
  });
});

describe("reports about prompts that come while a turn runs", () => {
  it.each(["step.finished", "turn.finished", "message.updated", "session.updated"] as const)("R112: one that comes at %s of the last step is answered", async (moment) => {
    const test = await start(() => reply.text("Hi."));
    const first = test.session.prompt("One");
    await nextEvent(test.session, moment);
    expect(await test.session.prompt("Two")).toMatchObject({ outcome: "answered", text: "Hi." });
    await first;
    expectDone(test);
  });

  it.each(["queue", "steer"] as const)("R114: one that is to %s is in the next request, or is not, as it says; never between a call and its result", async (delivery) => {
    const { gate, open, whenStarted } = gatedTool();
    const test = await start((_request, index) => (index === 0 ? reply.toolCall("gate", { name: "a" }) : reply.text("Done.")), { tools: { gate } });
    const first = test.session.prompt("First");
    await whenStarted("a");
    const second = test.session.prompt("Second", { delivery });
    await second.accepted;
    open("a");
    await Promise.all([first, second]);
    expect(textsIn(test.model.requests[1])).toEqual(delivery === "steer" ? ["user: First", "user: Second"] : ["user: First"]);
    expect(test.model.requests).toHaveLength(delivery === "steer" ? 2 : 3);
    expectDone(test);
  });

  it("R116: a rejected call ends its turn, and the queued prompt runs next by itself", async () => {
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("Next.")], { tools: { echo: echoTool().echo }, permissions: [{ permission: "echo", action: "ask" }] });
    const first = test.session.prompt("One").settled;
    const { ask } = await nextEvent(test.session, "ask.created");
    const second = test.session.prompt("Two");
    await test.session.reply(ask.id, { decision: "reject" });
    expect([(await first).outcome, (await second).text]).toEqual(["rejected", "Next."]);
    expectDone(test);
  });

  it("R118: of prompts beyond the limit each is refused at once, and every accepted one ends", async () => {
    const test = await start([[reply.text("Hel"), reply.stall()]], { maxQueued: 2 });
    const turns = [1, 2, 3, 4].map((number) => test.session.prompt(`${number}`));
    await expect(turns[3]?.accepted).rejects.toThrow(/2/);
    await nextEvent(test.session, "part.delta");
    await test.session.abort({ queue: "cancel" });
    expect((await Promise.all(turns.slice(0, 3).map(({ settled }) => settled))).map(({ outcome }) => outcome)).toEqual(["aborted", "cancelled", "cancelled"]);
    expect(eventsOfType(test.events, "prompt.cancelled")).toHaveLength(2);
    expectDone(test);
  });
});

describe("reports about structured output", () => {
  const format = { type: "json_schema", schema: z.object({ name: z.string() }), retryCount: 2 } as const;

  it("R178: a model that keeps refusing is asked so often, then the turn ends", async () => {
    const test = await start(() => reply.text("no"));
    expect(await test.session.prompt("A color?", { format }).settled).toMatchObject({ outcome: "error", error: { code: "structured-output" } });
    expect(test.model.requests).toHaveLength(3);
    expectDone(test);
  });

  it("R181, R182: each prompt wants its own answer, also after reopening, and it is stored with its call", async () => {
    const test = await start([reply.toolCall("StructuredOutput", { name: "red" }), reply.text("no"), reply.toolCall("StructuredOutput", { name: "blue" }), reply.text("Free.")]);
    expect((await test.session.prompt("1", { format })).output).toEqual({ name: "red" });
    await test.session.close();
    const session = await test.agent.session(test.session.id);
    expect((await session.prompt("2", { format })).output).toEqual({ name: "blue" });
    expect((await session.prompt("3")).text).toBe("Free.");
    expect(test.model.requests[3]?.tools ?? []).not.toContainEqual(expect.objectContaining({ name: "StructuredOutput" }));
    const stored = (await session.messages()).flatMap(({ info }) => (info.role === "assistant" && info.structured !== undefined ? [info.structured] : []));
    expect(stored).toEqual([{ name: "red" }, { name: "blue" }]);
    expect(test.model.violations).toEqual([]);
  });
});
