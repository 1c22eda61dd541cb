import { describe, expect, it } from "vitest";
import { ConflictError, LeaseLostError, type Ask, type AskReply, type Lease, type SessionInfo, type Storage } from "throughline";
import { reply } from "throughline/testing";
import { everySchedule, ttlMs } from "./processes.ts";
import { stores } from "./stores.ts";

const ask: Ask = { id: "ask", sessionID: "thread", rootID: "thread", messageID: "m", partID: "p", callID: "c", permission: "bash", patterns: ["rm"], always: ["rm"], tool: "bash", input: {}, title: "rm", status: "open", time: { created: 0 } };

/** Replies to the ask, with the owner's lease or without one. Returns the row that refused it, if one did. */
async function replyTo(storage: Storage, answer: AskReply, lease?: Lease): Promise<unknown> {
  try {
    await storage.commit({ sessionID: "thread", lease, operations: [{ type: "ask.reply", askID: "ask", reply: answer, time: 1 }] });
    return undefined;
  } catch (error) {
    return error instanceof ConflictError ? error.existing : error;
  }
}

describe.each(stores)("over $name, in any order of their requests,", { timeout: 60_000 }, (store) => {
  it("of two replies to an ask, and its time-out, one counts; the others are shown it", async () => {
    await everySchedule(store, async (world) => {
      const [a, b, c] = [await world.open("A"), await world.open("B"), await world.open("C")];
      const lease = await world.storage.acquireLease("thread", "owner", ttlMs);
      await world.storage.commit({ sessionID: "thread", lease, operations: [{ type: "ask.put", ask }] });
      const replies: AskReply[] = [{ decision: "once" }, { decision: "reject", message: "No." }, { decision: "reject" }];
      const work = [replyTo(a.storage, { decision: "once" }), replyTo(b.storage, { decision: "reject", message: "No." }), replyTo(c.storage, { decision: "reject" }, lease)];
      const refusals = await world.run(Promise.all(work));
      const taken = refusals.indexOf(undefined);
      const row = { ...ask, status: "replied", reply: replies[taken], time: { created: 0, replied: 1 } };
      expect(refusals).toEqual(replies.map((_reply, index) => (index === taken ? undefined : row)));
      expect(await world.storage.listAsks({ rootID: "thread" })).toEqual([row]);
      // The owner closes it when the answer was carried out: from then on nobody can reply.
      const closed: Ask = { ...ask, status: "closed", reply: replies[taken], time: row.time };
      const [late] = await world.run(Promise.all([replyTo(a.storage, { decision: "always" }), c.storage.commit({ sessionID: "thread", lease, operations: [{ type: "ask.put", ask: closed }] })]));
      expect([row, closed]).toContainEqual(late);
      expect(await world.storage.listAsks({ rootID: "thread" })).toEqual([closed]);
      if (lease !== undefined) await world.storage.releaseLease(lease);
    });
  });

  it("what a dead owner still writes neither brings a removed session back nor touches a new one of its id", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A"), await world.open("B")];
      const lease = await world.storage.acquireLease("thread", "late", ttlMs);
      if (lease === undefined) throw new Error("Nobody else has it.");
      await world.schedule.clock.advance(ttlMs);
      const late = [1, 2, 3].map(async (count) => {
        await world.schedule.whenever(`late write ${count}`);
        return a.storage.commit({ sessionID: "thread", lease, operations: [{ type: "session.put", session: { ...a.session.info, title: "late" } }] }).then(
          () => "written",
          (error: unknown) => (error instanceof LeaseLostError ? "lost" : error instanceof Error ? error.name : "?"),
        );
      });
      const replaced = b.session.remove().then(async () => (await b.agent.session({ id: "thread" })).prompt("New", { id: "new" }));
      const [{ text }, ...ends] = await world.run(Promise.all([replaced, ...late]));
      expect(text).toBe("Answer to New");
      // As long as nobody else has the lease, one that is over endangers nobody.
      for (const end of ends) expect(["written", "lost", "SessionNotFoundError"]).toContain(end);
      expect((await world.storage.getSession("thread"))?.title).toBe("New");
      expect(await world.outcomes()).toEqual({ new: "answered" });
      expect((await world.storage.listMessages("thread")).items).toHaveLength(2);
    });
  });

  it("a prompt is answered although the process that runs it dies at any moment, as its caller waits in another", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A"), await world.open("B")];
      const own = a.session.prompt("Mine", { id: "mine" });
      await world.run(own.accepted);
      const asked = b.session.prompt("Asked", { id: "asked" });
      const steered = asked.accepted.then(() => b.session.prompt("Steered", { id: "steered", delivery: "steer" }));
      const death = asked.accepted.then(() => world.schedule.whenever("A dies")).then(() => a.kill());
      const [first, second] = await world.run(Promise.all([asked, steered, death]));
      expect(first.text).toMatch(/^Answer to (Asked|Steered)$/);
      expect(second.text).toBe("Answer to Steered");
      const { mine, ...theirs } = await world.outcomes();
      expect(["answered", "aborted"]).toContain(mine);
      expect(theirs).toEqual({ asked: "answered", steered: "answered" });
    }, { stepMs: ttlMs / 4 });
  });

  it("a child that is prompted while its parent runs elsewhere waits for the tree's lease, and is answered", async () => {
    await everySchedule(store, async (world) => {
      const [a, b] = [await world.open("A"), await world.open("B")];
      const child: SessionInfo = { ...a.session.info, id: "child", parentID: "thread", rootID: "thread", seq: 0 };
      await world.storage.commit({ sessionID: "child", operations: [{ type: "session.create", session: child }] });
      const session = await world.run(b.agent.session("child"));
      const turns = [a.session.prompt("Parent"), session.prompt("Child 1"), session.prompt("Child 2")];
      const texts = await world.run(Promise.all(turns.map(async (turn) => (await turn).text)));
      expect(texts).toEqual(["Answer to Parent", "Answer to Child 1", "Answer to Child 2"]);
    });
  });
});

it("a schedule under which something goes wrong is shown, and can be repeated", async () => {
  const [memory] = stores;
  if (memory === undefined) throw new Error("There is a first store.");
  const failing = everySchedule(memory, async (world) => {
    const [a] = [await world.open("A", {}, () => reply.text("Wrong."))];
    expect((await world.run(a.session.prompt("Hi").then())).text).toBe("Right.");
  });
  await expect(failing).rejects.toThrow(/seed: -?\d+[\s\S]*schedulerFor\(\)`[\s\S]*A: prompt\.admit/);
});
