import { assert, assertEqual, assertRejects, present } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession, ownSession, ttlMs } from "./owner.ts";
import { readTranscriptIDs } from "./read-everything.ts";
import { assistantRow, promptRow, sessionID, sessionRow } from "./rows.ts";

const write = { type: "message.put" as const, message: assistantRow("msg_1", 1) };

export const leasesTopic: ConformanceTopic = {
  name: "leases",
  cases: [
    {
      name: "are held by one owner, and carry the tree, the owner and the root's seq",
      run: async ({ storage }) => {
        const { lease } = await ownNewSession(storage);
        assertEqual({ ...lease, fence: 0, expires: 0 }, { rootID: sessionID, owner: "own_1", fence: 0, seq: 1, expires: 0 }, "The lease");
        assertEqual(await storage.acquireLease(sessionID, "own_2", ttlMs), undefined, "The lease for a second owner");
      },
    },
    {
      name: "go to one of many that want one at the same time",
      run: async ({ storage }) => {
        await commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID) });
        const owners = ["own_1", "own_2", "own_3", "own_4"];
        const leases = await Promise.all(owners.map((owner) => storage.acquireLease(sessionID, owner, ttlMs)));
        assertEqual(leases.filter((lease) => lease !== undefined).length, 1, "The number of leases");
      },
    },
    {
      name: "are renewed by their owner: same fence, never an earlier end, current seq",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(write);
        const renewed = present(await storage.acquireLease(sessionID, "own_1", ttlMs), "The renewed lease");
        assertEqual([renewed.fence, renewed.seq], [owner.lease.fence, 2], "Fence and seq");
        assert(renewed.expires >= owner.lease.expires, "The renewed lease ends earlier than the first one.");
        await owner.write({ type: "message.put", message: assistantRow("msg_2", 2) });
      },
    },
    {
      name: "let their owner write to every session of the tree, and to no other",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const other = await ownNewSession(storage, "ses_2");
        const child = sessionRow("ses_child", { parentID: sessionID, rootID: sessionID });
        await storage.commit({ sessionID: "ses_child", lease: owner.lease, operations: [{ type: "session.create", session: child }] });
        const message = assistantRow("msg_1", 1, { sessionID: "ses_child" });
        await storage.commit({ sessionID: "ses_child", lease: owner.lease, operations: [{ type: "message.put", message }] });
        const foreign = storage.commit({
          sessionID: "ses_child",
          lease: other.lease,
          operations: [{ type: "message.delete", messageID: "msg_1" }],
        });
        await assertRejects(foreign, "lease-lost", "A write to a child with the lease of another tree");
        assertEqual(await readTranscriptIDs(storage, "ses_child"), ["msg_1"], "The child's transcript");
        const onChild = storage.acquireLease("ses_child", "own_1", ttlMs);
        await assertRejects(onChild, "session-not-found", "A lease on a child");
      },
    },
    {
      name: "refuse a forged owner or fence, also for guarded operations",
      run: async ({ storage }) => {
        const { lease } = await ownNewSession(storage);
        const forged = [
          { ...lease, fence: lease.fence + 1 },
          { ...lease, fence: lease.fence - 1 },
          { ...lease, owner: "own_2" },
        ];
        const admit = { type: "prompt.admit" as const, message: promptRow("msg_q"), parts: [] };
        for (const attempt of forged) {
          await assertRejects(
            storage.commit({ sessionID, lease: attempt, operations: [write] }),
            "lease-lost",
            "A write with a forged lease",
          );
          await assertRejects(
            storage.commit({ sessionID, lease: attempt, operations: [admit] }),
            "lease-lost",
            "An admission with a forged lease",
          );
        }
        assertEqual((await storage.getSession(sessionID))?.seq, 1, "The seq");
      },
    },
    {
      name: "can be given back, and are then no right to write",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        assertEqual(await storage.releaseLease(owner.lease), true, "The release");
        await assertRejects(owner.write(write), "lease-lost", "A write with a released lease");
        assertEqual(await storage.releaseLease(owner.lease), false, "A second release");
        const next = await ownSession(storage, sessionID, "own_2");
        assert(next.lease.fence > owner.lease.fence, "The next owner's fence is not higher.");
        assertEqual(await storage.releaseLease(owner.lease), false, "A release of somebody else's lease");
        await next.write(write);
      },
    },
    {
      name: "get a higher fence when their owner comes back after giving them up",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await storage.releaseLease(owner.lease);
        const again = await ownSession(storage, sessionID, "own_1");
        assert(again.lease.fence > owner.lease.fence, "The fence did not grow.");
        await assertRejects(owner.write(write), "lease-lost", "A late write with the first lease");
      },
    },
    {
      name: "stay when something came in that the owner has not seen",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_q"), parts: [] });
        assertEqual(await storage.releaseLease(owner.lease, { ifSeq: 1 }), false, "The release at an old seq");
        await owner.write(write);
        assertEqual(await storage.releaseLease(owner.lease, { ifSeq: 3 }), true, "The release at the current seq");
      },
    },
    {
      name: "are taken on root sessions that exist, for a positive, finite time",
      run: async ({ storage }) => {
        await assertRejects(storage.acquireLease(sessionID, "own_1", ttlMs), "session-not-found", "A lease on nothing");
        await commitUnleased(storage, { type: "session.create", session: sessionRow(sessionID) });
        for (const time of [0, -1, Number.NaN, Infinity])
          await assertRejects(storage.acquireLease(sessionID, "own_1", time), "invalid-argument", `ttlMs: ${time}`);
      },
    },
    {
      name: "are given back at the root's seq, whatever came in for its children",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const child = sessionRow("ses_child", { parentID: sessionID, rootID: sessionID });
        await storage.commit({ sessionID: "ses_child", operations: [{ type: "session.create", session: child }] });
        assertEqual(await storage.releaseLease(owner.lease, { ifSeq: 1 }), true, "The release at the root's seq");
      },
    },
  ],
};
