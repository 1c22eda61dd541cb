import { describe, expect, it } from "vitest";
import { reply } from "throughline/testing";
import { gatedTool, resultsIn } from "../session-under-test.ts";
import { bashTool } from "../asks/asked.ts";
import { sharedStore, type SharedStore } from "./crash.ts";

/** Without this prompt's rules everything is allowed. */
const noBash = [{ permission: "bash", action: "deny" }] as const;

type Gated = Pick<ReturnType<typeof gatedTool>, "gate" | "whenStarted">;

/** A turn that a second prompt has joined, which forbids `bash`; its process dies while the tool `wait` runs. */
async function joinedTurn(store: SharedStore, wait: Gated): Promise<void> {
  const { gate, whenStarted, open } = gatedTool();
  const { session } = await store.start([reply.toolCall("gate", { name: "first" }), reply.toolCall("wait", { name: "second" })], { tools: { gate, wait: wait.gate } });
  session.prompt("One", { id: "one" }).catch(() => undefined);
  await whenStarted("first");
  const second = session.prompt("Two", { id: "two", delivery: "steer", permissions: noBash });
  second.catch(() => undefined);
  await second.accepted;
  open("first");
  await wait.whenStarted("second");
  await store.crash();
}

describe("a turn that a prompt has joined, after a crash", () => {
  it("is still under that prompt's ceiling", async () => {
    const store = sharedStore();
    const { bash, runs } = bashTool();
    const { gate, whenStarted } = gatedTool();
    await joinedTurn(store, { gate, whenStarted });
    const { session, model } = await store.start([reply.toolCall("bash", { command: "rm" }), reply.text("Done.")], { tools: { bash, gate } });
    expect(await session.resume()).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual([]);
    // What is denied for every input is not even offered.
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["gate"]);
  });

  it("does not run an idempotent call again that the ceiling denies", async () => {
    const store = sharedStore();
    const { bash, runs } = bashTool({ idempotent: true });
    const { gate, whenStarted } = gatedTool();
    // Its permission has another name from now on, so that the first process lets it through.
    await joinedTurn(store, { gate, whenStarted });
    const denied = { ...bash, input: gate.input, permission: () => ({ permission: "bash", patterns: ["*"] }) };
    const { session, model } = await store.start([reply.text("Done.")], { tools: { gate, wait: denied } });
    expect(await session.resume()).toMatchObject({ outcome: "answered" });
    expect(runs).toEqual([]);
    expect(resultsIn(model.requests[0])[1]?.[1]).toBe("error-text");
  });

  it("is ended by a request to abort the turn of that prompt", async () => {
    const store = sharedStore();
    const { gate, whenStarted } = gatedTool();
    await joinedTurn(store, { gate, whenStarted });
    await store.storage.commit({ sessionID: "thread", operations: [{ type: "abort.request", abort: { id: "abt_1", messageID: "two", queue: "keep", time: 0 } }] });
    const { session, model } = await store.start([], { tools: { gate } });
    expect(await session.resume().settled).toMatchObject({ outcome: "aborted" });
    expect(model.requests).toEqual([]);
  });
});
