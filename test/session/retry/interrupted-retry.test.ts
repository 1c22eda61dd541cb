import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { reply } from "throughline/testing";
import { eventsOfType, nextEvent, textsIn } from "../session-under-test.ts";
import { livingStore } from "../recovery/living.ts";
import { sharedStore } from "../recovery/crash.ts";

const busy = reply.error(new APICallError({ message: "busy", url: "https://acme.test", requestBodyValues: {}, statusCode: 503 }));

describe("a process that ends while a retry is waited for", () => {
  it("leaves the failed attempt, which is made again when the turn is resumed", async () => {
    const store = sharedStore();
    const first = await store.start([[reply.text("par"), busy].flat()]);
    first.session.prompt("Hi");
    await nextEvent(first.session, "step.retry");
    await store.crash();
    const next = await store.start([reply.text("Hello!")]);
    const result = await next.session.resume();
    expect(result).toMatchObject({ outcome: "answered", text: "Hello!", steps: 1, messages: [{ info: { step: 1, attempt: 2 } }] });
    expect(textsIn(next.model.requests[0])).toEqual(["user: Hi"]);
    expect((await next.session.messages()).map(({ info }) => info.role)).toEqual(["user", "assistant"]);
    expect(eventsOfType(next.events, "step.dropped")).toHaveLength(1);
    expect(next.model.violations).toEqual([]);
  });

  it("also where the reply was empty", async () => {
    const store = sharedStore();
    const first = await store.start([[reply.finish("stop")]]);
    first.session.prompt("Hi");
    await nextEvent(first.session, "step.retry");
    await store.crash();
    const next = await store.start([reply.text("Hello!")]);
    expect(await next.session.resume()).toMatchObject({ outcome: "answered", steps: 1 });
  });

  it("waits what is left of the wait, and counts the attempts that were made", async () => {
    const store = sharedStore();
    const first = await store.start([busy], { retry: { maxAttempts: 2, baseDelayMs: 300_000, maxDelayMs: 300_000 } });
    first.session.prompt("Hi");
    await nextEvent(first.session, "step.retry");
    await store.crash();
    const next = await store.start([busy], { retry: { maxAttempts: 2, baseDelayMs: 300_000, maxDelayMs: 300_000 } });
    const resumed = next.session.resume().settled;
    await store.clock.advance(100_000);
    expect(next.model.requests).toHaveLength(0);
    await store.clock.runAll();
    expect(await resumed).toMatchObject({ outcome: "error", error: { code: "overloaded" }, steps: 1 });
    expect(store.clock.pending()).toBe(0);
  });

  it("leaves its turn to the next prompt, which ends it as aborted, with the failed attempt in it", async () => {
    const store = sharedStore();
    const first = await store.start([busy]);
    first.session.prompt("Hi", { id: "first" });
    await nextEvent(first.session, "step.retry");
    await store.crash();
    const next = await store.start([reply.text("Hello!")]);
    expect(await next.session.prompt("Next")).toMatchObject({ outcome: "answered", text: "Hello!" });
    const stored = await next.session.messages();
    expect(stored.map(({ info }) => (info.role === "user" ? info.outcome?.type : info.error?.code))).toEqual(["aborted", "overloaded", "answered", undefined]);
  });

  it("ends the turn with the error of a failure that is not retried", async () => {
    const store = sharedStore({ without: (operation) => operation.type === "message.put" && operation.message.role === "user" && operation.message.outcome !== undefined });
    const first = await store.start([busy], { retry: { maxAttempts: 1 } });
    first.session.prompt("Hi");
    await store.clock.advance(1_000);
    await store.crash();
    const next = await store.start([], { retry: { maxAttempts: 1 } });
    expect(await next.session.resume().settled).toMatchObject({ outcome: "error", error: { code: "overloaded" } });
  });

  it("hands the retry over when it is closed, and the caller waits in another process", async () => {
    const store = livingStore();
    const owner = await store.start([[reply.text("Mine"), reply.stall()], busy]);
    const mine = owner.session.prompt("Mine", { id: "mine" });
    await nextEvent(owner.session, "part.delta");
    const asker = await store.start([reply.text("Hello!")]);
    const asked = asker.session.prompt("Asked", { id: "asked" });
    await asked.accepted;
    const waits = nextEvent(owner.session, "step.retry");
    await mine.abort();
    await waits;
    await owner.session.close();
    await store.clock.runAll();
    expect(await asked).toMatchObject({ outcome: "answered", text: "Hello!", steps: 1 });
    expect(store.clock.pending()).toBe(0);
  });
});
