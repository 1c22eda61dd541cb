import { afterAll, describe, expect, it, vi } from "vitest";
import { ConflictError, LeaseLostError, StorageError } from "../../../src/errors.ts";
import { postgresStorage, type PostgresClient } from "../../../src/storage/postgres/index.ts";
import type { Operation, Storage } from "../../../src/storage/storage.ts";
import { ownNewSession, ownSession, ttlMs } from "../../../src/testing/storage-conformance/owner.ts";
import { readTranscriptIDs } from "../../../src/testing/storage-conformance/read-everything.ts";
import { askRow, assistantRow, promptRow, sessionID, sessionRow, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { deferred } from "../../../src/util/deferred.ts";
import { databaseUnderTest } from "./postgres-under-test.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const database = await databaseUnderTest();
afterAll(() => database.end());
const clients = [database.connect(), database.connect()] as const;
const schema = database.newSchema();

/** Two processes, as far as the database can tell. */
async function twoStores(): Promise<[Storage, Storage]> {
  const stores: [Storage, Storage] = [postgresStorage(clients[0], { schema }), postgresStorage(clients[1], { schema })];
  await stores[0].getSession(sessionID);
  await database.empty(schema);
  return stores;
}

function oneOf(stores: readonly [Storage, Storage], index: number): Storage {
  return index % 2 === 0 ? stores[0] : stores[1];
}

/** Each of these in one of the stores, at the same time; how many were let through. The others must have been refused with a conflict. */
async function race(stores: readonly [Storage, Storage], operations: readonly Operation[]): Promise<number> {
  const outcomes = await Promise.allSettled(operations.map((operation, index) => oneOf(stores, index).commit({ sessionID, operations: [operation] })));
  for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(ConflictError);
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

/** A client that calls something just before a commit is written. */
function withBeforeWrite(client: PostgresClient, beforeWrite: () => Promise<unknown>): PostgresClient {
  let isDone = false;
  return {
    query: async (text, values) => {
      if (!isDone && text.includes("head AS (")) {
        isDone = true;
        await beforeWrite();
      }
      return client.query(text, values);
    },
  };
}

describe(`two processes on ${database.name}`, () => {
  it("one creation, one admission, one reply of many gets through", async () => {
    const stores = await twoStores();
    const four = [1, 2, 3, 4];
    expect(await race(stores, four.map((n): Operation => ({ type: "session.create", session: sessionRow(sessionID, { title: `${n}` }) })))).toBe(1);
    const owner = await ownSession(stores[0], sessionID, "own_1");
    await owner.write({ type: "ask.put", ask: askRow("ask_1") });
    expect(await race(stores, four.map((n): Operation => ({ type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1", `${n}`)] })))).toBe(1);
    expect(await race(stores, four.map((n): Operation => ({ type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: n })))).toBe(1);
    expect((await stores[1].getSession(sessionID))?.seq).toBe(4);
  });

  it("a promotion and a cancellation of one prompt: one of them, whichever is first", async () => {
    const stores = await twoStores();
    const owner = await ownNewSession(stores[0]);
    for (let round = 0; round < 10; round += 1) {
      const messageID = `msg_${round}`;
      await stores[1].commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow(messageID), parts: [] }] });
      const outcomes = await Promise.allSettled([
        owner.write({ type: "message.promote", messageID, position: round }),
        stores[1].commit({ sessionID, operations: [{ type: "prompt.cancel", messageID, time: 1 }] }),
      ]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect((await readTranscriptIDs(stores[1])).includes(messageID)).toBe(outcomes[0].status === "fulfilled");
    }
  });

  it("many admissions at once: none is lost, and each has a seq of its own", async () => {
    const stores = await twoStores();
    await ownNewSession(stores[0]);
    const admissions = Array.from({ length: 12 }, (_, n) =>
      oneOf(stores, n).commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow(`msg_${n}`), parts: [] }] }),
    );
    const seqs = (await Promise.all(admissions)).map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(12);
    expect((await stores[0].inbox(sessionID)).queued).toHaveLength(12);
  });

  it("the commits of one process go one after the other: none of them is judged twice", async () => {
    const [store] = await twoStores();
    await ownNewSession(store);
    let statements = 0;
    const counting: PostgresClient = {
      query: (text, values) => {
        statements += 1;
        return clients[0].query(text, values);
      },
    };
    const busy = postgresStorage(counting, { schema });
    await busy.getSession(sessionID);
    statements = 0;
    await Promise.all(Array.from({ length: 30 }, (_, n) => busy.commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow(`msg_${n}`), parts: [] }] })));
    expect(statements).toBe(60);
    expect((await busy.inbox(sessionID)).queued.map(({ info }) => info.id)).toEqual(Array.from({ length: 30 }, (_, n) => `msg_${n}`));
  });

  it("a batch cannot be changed while it waits", async () => {
    const [store] = await twoStores();
    const owner = await ownNewSession(store);
    const part = textPart("msg_1", "prt_1", "as it was");
    const first = owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
    const second = owner.write({ type: "part.put", part });
    expect(() => Object.assign(part, { text: "changed" })).toThrow(TypeError);
    await Promise.all([first, second]);
    expect((await store.listMessages(sessionID)).items[0]?.parts).toEqual([textPart("msg_1", "prt_1", "as it was")]);
  });

  it("a commit whose connection never answers keeps the next one for a second, and no longer", async () => {
    const [store] = await twoStores();
    await ownNewSession(store);
    const stuck = deferred<never>();
    const reached = deferred<undefined>();
    const clock = manualClock();
    const hanging = withBeforeWrite(clients[0], () => {
      reached.resolve(undefined);
      return stuck.promise;
    });
    const half = postgresStorage(hanging, { schema, clock });
    const admit = (id: string): Promise<{ seq: number }> => half.commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow(id), parts: [] }] });
    void admit("msg_1").catch(() => undefined);
    await reached.promise;
    const next = admit("msg_2");
    await clock.advance(1_000);
    expect(await next).toEqual({ seq: 2 });
  });

  it("an owner whose lease is taken between the judgement and the writing of his batch writes nothing", async () => {
    const [, other] = await twoStores();
    let now = 0;
    const clock = { now: () => now, setTimeout: () => 0, clearTimeout: () => undefined };
    const first = postgresStorage(withBeforeWrite(clients[0], () => takeOver()), { schema, clock });
    const second = postgresStorage(clients[1], { schema, clock });
    const takeOver = async (): Promise<void> => {
      now += ttlMs;
      expect(await second.acquireLease(sessionID, "own_2", ttlMs)).toBeDefined();
    };
    await other.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    const owner = await ownSession(first, sessionID, "own_1");
    await expect(owner.write({ type: "message.put", message: assistantRow("msg_1", 1) })).rejects.toThrow(LeaseLostError);
    expect(await readTranscriptIDs(second)).toEqual([]);
  });

  it("a batch that is overtaken is judged anew, on what the other has written", async () => {
    const [, other] = await twoStores();
    await other.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    const admit: Operation = { type: "prompt.admit", message: promptRow("msg_1"), parts: [] };
    const overtaken = postgresStorage(withBeforeWrite(clients[0], () => other.commit({ sessionID, operations: [admit] })), { schema });
    await expect(overtaken.commit({ sessionID, operations: [admit] })).rejects.toThrow(ConflictError);
    expect((await other.getSession(sessionID))?.seq).toBe(2);
  });

  it("a child that comes while its parent is deleted goes along, or is refused; none is left behind", async () => {
    const stores = await twoStores();
    for (let round = 0; round < 10; round += 1) {
      const parentID = `ses_${round}`;
      const owner = await ownNewSession(stores[0], parentID);
      const child = sessionRow(`${parentID}_child`, { parentID, rootID: parentID });
      await Promise.allSettled([
        owner.write({ type: "session.delete" }),
        stores[1].commit({ sessionID: child.id, operations: [{ type: "session.create", session: child }] }),
      ]);
      expect(await stores[1].getSession(parentID)).toBeUndefined();
      expect(await stores[1].getSession(child.id)).toBeUndefined();
    }
  });

  it("a prompt that is admitted while its session is deleted leaves no row behind", async () => {
    const stores = await twoStores();
    for (let round = 0; round < 10; round += 1) {
      const owner = await ownNewSession(stores[0]);
      await Promise.allSettled([
        owner.write({ type: "session.delete" }),
        stores[1].commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow("msg_1"), parts: [textPart("msg_1", "prt_1")] }] }),
      ]);
      await stores[1].commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
      expect((await stores[1].inbox(sessionID)).queued).toEqual([]);
      await (await ownSession(stores[0], sessionID, "own_1")).write({ type: "session.delete" });
    }
  });

  it("admission against release: no prompt is stranded", async () => {
    const stores = await twoStores();
    await stores[0].commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    for (let round = 0; round < 20; round += 1) {
      const owner = await ownSession(stores[0], sessionID, `own_${round}`);
      const admitAndAcquire = async (): Promise<boolean> => {
        await stores[1].commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow(`msg_${round}`), parts: [] }] });
        const lease = await stores[1].acquireLease(sessionID, "own_admitter", ttlMs);
        if (lease !== undefined) await stores[1].releaseLease(lease);
        return lease !== undefined;
      };
      const [released, acquired] = await Promise.all([stores[0].releaseLease(owner.lease, { ifSeq: owner.lease.seq }), admitAndAcquire()]);
      // Either the owner has seen the prompt and stays, or who brought it can run it himself.
      expect(released ? acquired : true).toBe(true);
      if (!released) await stores[0].releaseLease(owner.lease);
    }
  });

  it("two of many that want a free lease at once do not both get it", async () => {
    const stores = await twoStores();
    await stores[0].commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    const leases = await Promise.all(Array.from({ length: 8 }, (_, n) => oneOf(stores, n).acquireLease(sessionID, `own_${n}`, ttlMs)));
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it("a commit whose answer is lost was applied, and its repetition is accepted", async () => {
    const [store] = await twoStores();
    const owner = await ownNewSession(store);
    let drops = 0;
    const dropping: PostgresClient = {
      query: async (text, values) => {
        const answer = await clients[0].query(text, values);
        if (text.includes("head AS (") && drops++ === 0) throw new Error("Connection terminated unexpectedly");
        return answer;
      },
    };
    const dropped = postgresStorage(dropping, { schema });
    const batch = {
      sessionID,
      lease: owner.lease,
      operations: [
        { type: "message.put", message: assistantRow("msg_1", 1) },
        { type: "part.put", part: textPart("msg_1", "prt_1", "a") },
        { type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 1, text: "b" },
      ] satisfies Operation[],
    };
    await expect(dropped.commit(batch)).rejects.toThrow(StorageError);
    expect(await readTranscriptIDs(store)).toEqual(["msg_1"]);
    await dropped.commit(batch);
    expect((await store.listMessages(sessionID)).items).toEqual([{ info: assistantRow("msg_1", 1), parts: [textPart("msg_1", "prt_1", "ab")] }]);
  });

  it("a lease is over by the server's clock when none is given", async () => {
    const stores = await twoStores();
    await stores[0].commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    await stores[0].acquireLease(sessionID, "own_1", ttlMs);
    expect(await stores[1].acquireLease(sessionID, "own_2", ttlMs)).toBeUndefined();
    await database.query(`UPDATE "${schema}".lease SET deadline = extract(epoch FROM clock_timestamp()) * 1000 - 1`);
    expect((await stores[1].acquireLease(sessionID, "own_2", ttlMs))?.fence).toBe(2);
  });
});
