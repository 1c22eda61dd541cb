import { describe, expect, it } from "vitest";
import { defineTool, SessionClosedError, type Turn } from "throughline";
import { reply, type ModelRequest } from "throughline/testing";
import { textsIn } from "../session/session-under-test.ts";
import { everySchedule, ttlMs } from "./processes.ts";
import { stores } from "./stores.ts";

/** Calls a tool once for each prompt, then answers: a turn of two steps, with a side effect in between. */
function work({ prompt }: ModelRequest) {
  return prompt.at(-1)?.role === "tool" ? reply.text("Done.") : reply.toolCall("work", {});
}

/** Steps in which the lease of a dead process is soon over. */
const untilOver = { stepMs: ttlMs / 4 };

const tools = { work: defineTool({ description: "Works.", input: { type: "object", properties: {} }, execute: () => "worked" }) };

/** The outcome, or why there is none for this caller. */
async function endOf(turn: Turn): Promise<string> {
  const { outcome } = await turn.settled;
  const failure = await turn.then(() => undefined, (error: unknown) => error);
  return failure instanceof SessionClosedError ? "closed" : failure instanceof Error && "code" in failure && failure.code === "lease-lost" ? "lost" : outcome;
}

describe.each(stores)("over $name, in any order of their requests,", { timeout: 60_000 }, (store) => {
  it("a turn that is aborted from anywhere at its end has one outcome, and the next one is not touched", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A", { tools }, work), await world.open("B", { tools }, work)];
      const first = a.session.prompt("One", { id: "one" });
      const aborts = [
        first.accepted.then(() => world.schedule.whenever("B aborts")).then(() => b.session.abort()),
        first.accepted.then(() => world.schedule.whenever("A aborts the turn")).then(() => first.abort()),
      ];
      const [end] = await world.run(Promise.all([endOf(first), ...aborts]));
      const second = await world.run(endOf(b.session.prompt("Two", { id: "two" })));
      expect(["answered", "aborted", "cancelled"]).toContain(end);
      expect(second).toBe("answered");
      expect(await world.outcomes()).toEqual({ one: end, two: "answered" });
      expect((await world.storage.inbox("thread")).aborts).toEqual([]);
    });
  });

  it("a process that closes loses no prompt: its own turn ends, and what others prompted is answered", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A", { tools }, work), await world.open("B", { tools }, work)];
      const mine = [a.session.prompt("A1", { id: "a1" }), a.session.prompt("A2", { id: "a2" })];
      const yours = world.schedule.whenever("B prompts").then(() => endOf(b.session.prompt("B1", { id: "b1" })));
      const closing = world.schedule.whenever("A closes").then(() => a.agent.close());
      const [ends, end] = await world.run(Promise.all([Promise.all(mine.map(endOf)), yours, closing]));
      expect(end).toBe("answered");
      for (const mineEnd of ends) expect(["answered", "aborted", "closed"]).toContain(mineEnd);
      // What was accepted and not begun runs with the next one that works on the session.
      const last = await world.open("C", { tools }, work);
      expect(await world.run(endOf(last.session.prompt("C1", { id: "c1" })))).toBe("answered");
      const outcomes = await world.outcomes();
      for (const [index, id] of ["a1", "a2"].entries()) if (ends[index] !== "closed") expect([id, outcomes[id]]).toEqual([id, ends[index]]);
    });
  });

  it("an abort is not lost when the turn is handed over at the same time", async () => {
    await everySchedule(store, async (world) => {
      const model = (request: ModelRequest) => (textsIn(request).includes("user: Asked") ? [reply.text("Half"), reply.stall()].flat() : reply.text("Mine."));
      const [a, b] = [await world.open("A", {}, model), await world.open("B", {}, model)];
      await world.run(a.session.prompt("Mine", { id: "mine" }).accepted);
      const asked = b.session.prompt("Asked", { id: "asked" });
      const closing = asked.accepted.then(() => world.schedule.whenever("A closes")).then(() => a.agent.close());
      const abort = asked.accepted.then(() => world.schedule.whenever("B aborts")).then(() => asked.abort());
      const [end] = await world.run(Promise.all([endOf(asked), closing, abort]));
      expect(["aborted", "cancelled"]).toContain(end);
      // Where it was cancelled before it was its turn, nobody may have had the session since.
      if ((await world.outcomes())["mine"] === undefined) await world.run((await world.open("C")).session.resume().settled);
      expect((await world.storage.inbox("thread")).aborts).toEqual([]);
    });
  });

  it("a turn that one crash left is continued once, whoever resumes it", async () => {
    await everySchedule(store, async (world) => {
      const dead = await world.open("A", {}, [[reply.text("Half"), reply.stall()]]);
      const begun = new Promise<void>((resolve) => dead.session.once("part.delta", () => { resolve(); }));
      dead.session.prompt("Go", { id: "go" });
      await world.run(begun);
      await dead.kill();
      const [b, c] = [await world.open("B"), await world.open("C")];
      const turns = [b, c].map(({ session }) => session.resume());
      const texts = await world.run(Promise.all(turns.map(async (turn) => (await turn.settled).text)));
      // Who comes when all is done has nothing to resume, and is told so.
      expect(new Set(texts)).toContain("Answer to Go");
      for (const [index, turn] of turns.entries()) if (texts[index] === "") await expect(turn.then()).rejects.toMatchObject({ code: "nothing-to-resume" });
      expect([b, c].flatMap(({ model }) => model.requests)).toHaveLength(1);
      expect(await world.outcomes()).toEqual({ go: "answered" });
    }, untilOver);
  });

  it("an owner whose lease passes to another writes nothing any more, however slow its commits are", async () => {
    await everySchedule(
      store,
      async (world) => {
        const [a, b] = [await world.open("A", { tools }, work), await world.open("B", { tools }, work)];
        const first = a.session.prompt("One", { id: "one" });
        const second = world.schedule.whenever("B prompts").then(() => endOf(b.session.prompt("Two", { id: "two" })));
        const ends = await world.run(Promise.all([endOf(first), second]));
        for (const end of ends) expect(["answered", "lost", "error", "aborted"]).toContain(end);
        // Whoever was overtaken by time left its turn owed. The next one takes its time, too, and is not overtaken.
        const last = await world.open("C", { tools, leases: { ttlMs: 1_000_000 } }, work);
        expect(await world.run(endOf(last.session.prompt("Three", { id: "three" })))).toBe("answered");
        expect(Object.values(await world.outcomes())).toHaveLength(3);
      },
      { passes: "any time", stepMs: ttlMs / 8 },
    );
  });
});
