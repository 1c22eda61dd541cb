import { assertRejects } from "./assert.ts";
import { ownNewSession } from "./owner.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { readChanges } from "./read-everything.ts";
import { sessionID } from "./rows.ts";

export const closingTopic: ConformanceTopic = {
  name: "closing",
  cases: [
    {
      name: "makes every later call reject, and may be repeated",
      run: async ({ storage }) => {
        const { lease } = await ownNewSession(storage);
        await storage.close();
        const calls: [name: string, call: () => Promise<unknown>][] = [
          [
            "commit",
            () => storage.commit({ sessionID, operations: [{ type: "abort.request", abort: { id: "abt_1", queue: "keep", time: 1 } }] }),
          ],
          ["getSession", () => storage.getSession(sessionID)],
          ["listSessions", () => storage.listSessions()],
          ["listMessages", () => storage.listMessages(sessionID)],
          ["inbox", () => storage.inbox(sessionID)],
          ["listAsks", () => storage.listAsks()],
          ["changes", () => readChanges(storage, 0)],
          ["getArtifact", () => storage.getArtifact(sessionID, "art_1")],
          ["acquireLease", () => storage.acquireLease(sessionID, "own_1", 1_000)],
          ["releaseLease", () => storage.releaseLease(lease)],
        ];
        for (const [name, call] of calls) await assertRejects(call(), "storage", `${name} on a closed store`);
        if (storage.watch !== undefined)
          await assertRejects(
            storage.watch(sessionID, () => undefined),
            "storage",
            "watch on a closed store",
          );
        await storage.close();
      },
    },
  ],
};
