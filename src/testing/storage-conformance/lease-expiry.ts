import { assert, assertEqual, assertRejects, present } from "./assert.ts";
import { capability } from "./capability.ts";
import type { ConformanceStore, ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession, ownSession, ttlMs } from "./owner.ts";
import { assistantRow, sessionID, sessionRow } from "./rows.ts";

const write = { type: "message.put" as const, message: assistantRow("msg_1", 1) };

function advanceOf(store: ConformanceStore): (ms: number) => Promise<void> {
  return capability(store.advance?.bind(store), "advance");
}

export const leaseExpiryTopic: ConformanceTopic = {
  name: "expiry of leases",
  cases: [
    {
      name: "leaves a lease the newest until somebody takes the tree",
      needs: "advance",
      run: async (store) => {
        const owner = await ownNewSession(store.storage);
        const advance = advanceOf(store);
        await advance(ttlMs);
        await owner.write(write);
        await ownSession(store.storage, sessionID, "own_2");
        await assertRejects(owner.write(write), "lease-lost", "A write after somebody else took the tree");
        assertEqual(await store.storage.releaseLease(owner.lease), false, "The release of a lease that was taken");
      },
    },
    {
      name: "lets another owner in, with a higher fence",
      needs: "advance",
      run: async (store) => {
        const owner = await ownNewSession(store.storage);
        await advanceOf(store)(ttlMs);
        const next = await ownSession(store.storage, sessionID, "own_2");
        assert(next.lease.fence > owner.lease.fence, "The next owner's fence is not higher.");
        await assertRejects(owner.write(write), "lease-lost", "A write of the dispossessed owner");
        assertEqual(await store.storage.acquireLease(sessionID, "own_1", ttlMs), undefined, "The lease for the first owner");
      },
    },
    {
      name: "is put off by renewal, and gives a lease back to its owner when nobody took it",
      needs: "advance",
      run: async (store) => {
        const owner = await ownNewSession(store.storage);
        const advance = advanceOf(store);
        await advance(ttlMs - 1_000);
        const renewed = present(await store.storage.acquireLease(sessionID, "own_1", ttlMs), "The renewed lease");
        assert(renewed.expires > owner.lease.expires, "The renewed lease has no later end.");
        await advance(ttlMs - 1_000);
        await owner.write(write);
        await advance(ttlMs);
        const late = present(await store.storage.acquireLease(sessionID, "own_1", ttlMs), "The lease of an owner that comes late");
        assertEqual(late.fence, owner.lease.fence, "Its fence");
      },
    },
    {
      name: "comes at the deadline, and not before",
      needs: "advance",
      run: async (store) => {
        const advance = advanceOf(store);
        await ownNewSession(store.storage);
        // A store may run on real time besides: it must not reach the deadline by that.
        await advance(ttlMs - 20_000);
        assertEqual(await store.storage.acquireLease(sessionID, "own_2", ttlMs), undefined, "The lease for a second owner before the deadline");
        await advance(20_000);
        await ownSession(store.storage, sessionID, "own_2");
      },
    },
    {
      name: "is never brought forward by a renewal",
      needs: "advance",
      run: async (store) => {
        const advance = advanceOf(store);
        const owner = await ownNewSession(store.storage);
        present(await store.storage.acquireLease(sessionID, "own_1", 1_000), "The renewed lease");
        await advance(ttlMs - 20_000);
        assertEqual(await store.storage.acquireLease(sessionID, "own_2", ttlMs), undefined, "The lease for a second owner before the first deadline");
        await owner.write(write);
      },
    },
    {
      name: "does not outlive a deletion: who creates the session anew need not wait for it",
      needs: "advance",
      run: async (store) => {
        const late = await ownNewSession(store.storage);
        await late.write({ type: "session.delete" });
        await commitUnleased(store.storage, { type: "session.create", session: sessionRow(sessionID) });
        const next = await ownSession(store.storage, sessionID, "own_2");
        await advanceOf(store)(ttlMs - 20_000);
        assertEqual(await store.storage.acquireLease(sessionID, "own_1", ttlMs), undefined, "The lease for the late owner");
        assertEqual(await store.storage.releaseLease(late.lease), false, "The release of the late lease");
        await next.write(write);
      },
    },
  ],
};
