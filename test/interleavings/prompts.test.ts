import { describe, expect, it } from "vitest";
import { ConflictError, type Turn } from "throughline";
import { everySchedule } from "./processes.ts";
import { stores } from "./stores.ts";

/** How a turn ended: its text or what it was refused with. */
async function endOf(turn: Turn): Promise<string> {
  return turn.then(({ text }) => text, (error: unknown) => (error instanceof Error ? error.name : "?"));
}

describe.each(stores)("over $name, in any order of their requests,", { timeout: 60_000 }, (store) => {
  it("two that open or create one session have the same, and both can use it", async () => {
    await everySchedule(store, async (world) => {
      const processes = [await world.start("A"), await world.start("B")];
      const texts = await world.run(Promise.all(processes.map(async ({ agent }, index) => endOf((await agent.session({ id: "thread" })).prompt(`Prompt ${index}`)))));
      expect(texts).toEqual(["Answer to Prompt 0", "Answer to Prompt 1"]);
      expect((await world.storage.listSessions()).items).toHaveLength(1);
      expect(processes.flatMap(({ events }) => events.filter(({ type }) => type === "session.created"))).toHaveLength(1);
    });
  });

  it("a prompt that two are given under one id is answered once, and both get the answer", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A"), await world.open("B")];
      const turns = [a, b].map(({ session }) => session.prompt("Pay", { id: "webhook" }));
      expect(await world.run(Promise.all(turns.map(endOf)))).toEqual(["Answer to Pay", "Answer to Pay"]);
      expect(world.asked("Pay")).toBe(1);
      expect(await world.outcomes()).toEqual({ webhook: "answered" });
    });
  });

  it("one of two prompts with the same id and other contents is refused", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A"), await world.open("B")];
      const turns = [a.session.prompt("Pay 1", { id: "webhook" }), b.session.prompt("Pay 2", { id: "webhook" })];
      const failures = await world.run(Promise.all(turns.map((turn) => turn.then(() => undefined, (error: unknown) => error))));
      const refused = failures.findIndex((failure) => failure !== undefined);
      expect(failures.map((failure) => failure instanceof ConflictError).sort()).toEqual([false, true]);
      expect(failures[refused]).toMatchObject({ existing: { info: { id: "webhook" }, parts: [{ text: `Pay ${2 - refused}` }] } });
      expect([world.asked("Pay 1"), world.asked("Pay 2")]).toEqual(refused === 0 ? [0, 1] : [1, 0]);
    });
  });

  it("no prompt is stranded by an owner that just gives its lease back", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A"), await world.open("B")];
      const first = a.session.prompt("A1").then(() => endOf(a.session.prompt("A2")));
      const second = world.schedule.whenever("B prompts").then(() => endOf(b.session.prompt("B1")));
      const steered = world.schedule.whenever("B steers").then(() => endOf(b.session.prompt("B2", { delivery: "steer" })));
      const texts = await world.run(Promise.all([first, second, steered]));
      // One that steers is answered by the turn that it joins.
      expect(texts).toEqual([expect.stringMatching(/^Answer to (A2|B2)$/), expect.stringMatching(/^Answer to B[12]$/), expect.stringMatching(/^Answer to (A1|A2|B1|B2)$/)]);
      expect(Object.values(await world.outcomes())).toEqual(["answered", "answered", "answered", "answered"]);
    });
  });

  it("a prompt is cancelled and never runs, or it runs and nobody is told that it was cancelled", async () => {
    await everySchedule(store, async (world) => {
      const [a, b, c] = [await world.open("A"), await world.open("B"), await world.open("C")];
      const turn = a.session.prompt("Pay", { id: "p" });
      const cancelBy = async ({ session }: typeof b): Promise<string> => {
        await turn.accepted;
        return session.cancel("p").then(() => "cancelled", (error: unknown) => (error instanceof Error ? error.name : "?"));
      };
      const [{ outcome }, ...answers] = await world.run(Promise.all([turn.settled, cancelBy(b), cancelBy(c)]));
      const told = [a, b, c].flatMap(({ events }) => events.filter(({ type }) => type === "prompt.cancelled"));
      const ran = [a, b, c].flatMap(({ events }) => events.filter(({ type }) => type === "prompt.promoted"));
      expect([outcome, answers.sort(), told.length, ran.length, world.asked("Pay")]).toEqual(
        outcome === "cancelled" ? ["cancelled", ["PromptNotFoundError", "cancelled"], 1, 0, 0] : ["answered", ["PromptNotFoundError", "PromptNotFoundError"], 0, 1, 1],
      );
      expect(await world.outcomes()).toEqual({ p: outcome });
    });
  });
});
