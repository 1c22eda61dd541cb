import { describe, expect, it } from "vitest";
import { defineTool, type Batch, type Operation, type ToolPart, type UserMessage } from "throughline";
import { reply, type Reply } from "throughline/testing";
import { z } from "zod";
import { nextEvent, resultsIn } from "../session-under-test.ts";
import { sharedStore, type Process, type SharedStore } from "./crash.ts";

/** Ends the first process before, or after, the first commit that matches. */
function storeThatEnds(when: "before" | "after", matches: (operation: Operation, batch: Batch) => boolean): SharedStore {
  return sharedStore({ [when]: (batch: Batch) => batch.operations.some((operation) => matches(operation, batch)) });
}

async function runToCrash(store: SharedStore, script: Reply[], tools: ReturnType<typeof writeTool>["tools"] = {}): Promise<Process> {
  const first = await store.start(script, { tools });
  first.session.prompt("Go", { id: "p" });
  await store.clock.advance(1000);
  await store.crash();
  return first;
}

function writeTool(): { tools: Record<string, ReturnType<typeof defineTool>>; runs: number[] } {
  const runs: number[] = [];
  const write = defineTool({
    description: "Writes.",
    input: z.object({ n: z.number() }),
    execute({ n }) {
      runs.push(n);
      return `wrote ${n}`;
    },
  });
  return { tools: { write }, runs };
}

async function prompts({ session }: Process): Promise<UserMessage[]> {
  return (await session.messages()).flatMap(({ info }) => (info.role === "user" ? [info] : []));
}

const isRow = (status: ToolPart["state"]["status"]) => (operation: Operation): boolean => operation.type === "part.put" && operation.part.type === "tool" && operation.part.state.status === status;
const isOutcome = (operation: Operation): boolean => operation.type === "message.put" && operation.message.role === "user" && operation.message.outcome !== undefined;

describe("a process that ends", () => {
  it("between the row of a running call and its tool: its outcome is unknown, and it never runs", async () => {
    const store = storeThatEnds("after", isRow("running"));
    const { tools, runs } = writeTool();
    await runToCrash(store, [reply.toolCall("write", { n: 1 })], tools);
    const second = await store.start([reply.text("Looked.")], { tools });
    expect((await second.session.resume()).text).toBe("Looked.");
    expect(runs).toEqual([]);
    expect(resultsIn(second.model.requests[0])[0]?.[2]).toContain("outcome is unknown");
    expect(second.model.violations).toEqual([]);
  });

  it("before a running call was stored: the turn is answered anew from its prompt", async () => {
    const store = storeThatEnds("before", isRow("running"));
    const { tools, runs } = writeTool();
    await runToCrash(store, [reply.toolCall("write", { n: 1 })], tools);
    const second = await store.start([reply.toolCall("write", { n: 2 }), reply.text("Done.")], { tools });
    expect((await second.session.resume()).text).toBe("Done.");
    expect(runs).toEqual([2]);
    expect(second.model.violations).toEqual([]);
  });

  it("after a result and before the next step: the result is kept", async () => {
    const store = storeThatEnds("after", isRow("completed"));
    const { tools, runs } = writeTool();
    await runToCrash(store, [reply.toolCall("write", { n: 1 }), reply.stall()], tools);
    const second = await store.start([reply.text("Done.")], { tools });
    expect(await second.session.resume()).toMatchObject({ text: "Done.", toolErrors: [] });
    expect(runs).toEqual([1]);
    expect(resultsIn(second.model.requests[0])).toEqual([[expect.any(String), "text", "wrote 1"]]);
    expect((await second.session.messages())[1]?.info).not.toHaveProperty("error");
  });

  it("between the promotion of a prompt and its first step: it is answered", async () => {
    const store = storeThatEnds("after", ({ type }) => type === "message.promote");
    await runToCrash(store, [reply.text("Lost.")]);
    const second = await store.start([reply.text("Done.")]);
    expect(await second.session.resume()).toMatchObject({ outcome: "answered", text: "Done.", messageID: "p" });
    expect((await second.session.messages()).map(({ info }) => info.role)).toEqual(["user", "assistant"]);
    expect(second.session.info.title).toBe("Go");
  });

  it.each(["resume", "prompt"] as const)("before the outcome of a complete answer: %s() stores it as answered, without a model call for it", async (way) => {
    const store = sharedStore({ without: isOutcome });
    const first = await store.start([reply.text("All of it.")]);
    const lost = first.session.prompt("Go", { id: "p" });
    void lost.settled;
    await store.clock.advance(1000);
    await store.crash();
    const second = await store.start(way === "prompt" ? [reply.text("Next.")] : []);
    const finished = nextEvent(second.session, "turn.finished", ({ messageID }) => messageID === "p");
    if (way === "resume") expect(await second.session.resume()).toMatchObject({ outcome: "answered", text: "All of it." });
    else await second.session.prompt("Next");
    expect(await finished).toMatchObject({ outcome: "answered", turnID: "p" });
    expect((await prompts(second))[0]).toMatchObject({ outcome: { type: "answered" } });
    second.model.assertDone();
  });

  it("before the outcome of a failed step: it is that error, and not aborted", async () => {
    const store = sharedStore({ without: isOutcome });
    await runToCrash(store, [reply.error(new Error("Overheated."))]);
    const second = await store.start([reply.text("Next.")]);
    await second.session.prompt("Next");
    expect((await prompts(second))[0]?.outcome).toMatchObject({ type: "error", error: { message: "Overheated." } });
  });

  it("before the outcome of prompts that were steered together: each gets it, once", async () => {
    const store = sharedStore({ without: isOutcome });
    const first = await store.start([[reply.toolCall("write", { n: 1 })], reply.text("Both.")], { tools: writeTool().tools });
    first.session.prompt("Go", { id: "p" });
    first.session.prompt("And that", { id: "q", delivery: "steer" });
    await store.clock.advance(1000);
    await store.crash();
    const second = await store.start([], { tools: writeTool().tools });
    expect(await second.session.resume()).toMatchObject({ outcome: "answered", text: "Both.", messageID: "p" });
    expect((await prompts(second)).map(({ id, outcome }) => [id, outcome?.type])).toEqual([["p", "answered"], ["q", "answered"]]);
    expect(second.events.filter(({ type }) => type === "turn.finished")).toMatchObject([{ messageID: "q" }, { messageID: "p" }]);
  });

  it("again and again during one step: the turn ends in the end", async () => {
    const store = sharedStore();
    const first = await store.start([[reply.text("x"), reply.stall()]]);
    first.session.prompt("Go", { id: "p" });
    for (let crashes = 1; crashes <= 10; crashes += 1) {
      await store.clock.advance(300);
      await store.crash();
      const next = await store.start(crashes === 10 ? [] : [[reply.text("x"), reply.stall()]]);
      const { settled } = next.session.resume();
      if (crashes < 10) await nextEvent(next.session, "part.delta");
      else expect(await settled).toMatchObject({ outcome: "error", error: { code: "interrupted" }, steps: 10 });
    }
  });
});

describe("live = replay", () => {
  const answers: Reply[] = [
    [reply.reasoning("Think.", { signature: "sig-1" }), reply.text("Look."), reply.toolCall("write", { n: 1 }, { id: "call_1" }), reply.reasoning("More."), reply.text("And.")],
    [reply.text("Found."), reply.toolCall("write", { n: 2 }, { id: "call_2" })],
    reply.text("Done."),
  ];

  it.each([1, 2])("the request behind step %i is the same, byte for byte, when it is made after a crash", async (steps) => {
    const { tools } = writeTool();
    const live = await sharedStore().start(answers, { tools });
    await live.session.prompt("Go");
    let seen = 0;
    const isLastResult = isRow("completed");
    const store = storeThatEnds("after", (operation) => isLastResult(operation) && (seen += 1) === steps);
    await runToCrash(store, answers, tools);
    const second = await store.start(answers.slice(steps), { tools });
    await second.session.resume();
    expect(JSON.stringify(second.model.requests[0])).toBe(JSON.stringify(live.model.requests[steps]));
    expect(JSON.stringify(second.model.requests[0])).toContain("sig-1");
  });
});
