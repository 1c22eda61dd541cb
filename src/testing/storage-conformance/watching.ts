import type { Storage } from "../../storage/storage.ts";
import { assert, assertEqual } from "./assert.ts";
import { capability } from "./capability.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { promptRow, sessionID, sessionRow } from "./rows.ts";

/** A watcher whose calls a test can wait for. */
async function watch(storage: Storage, id = sessionID): Promise<{ calls: () => number; called: () => Promise<void>; stop: () => void }> {
  let calls = 0;
  let wake: () => void = () => undefined;
  let call = new Promise<void>((resolve) => (wake = resolve));
  const stop = await capability(storage.watch?.bind(storage), "watch")(id, () => {
    calls += 1;
    wake();
    call = new Promise((resolve) => (wake = resolve));
  });
  return { calls: () => calls, called: () => call, stop };
}

const admit = (id: string) => ({ type: "prompt.admit" as const, message: promptRow(id), parts: [] });

export const watchingTopic: ConformanceTopic = {
  name: "watching",
  cases: [
    {
      name: "tells of commits by anybody, once the commit can be read",
      needs: "watch",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const watcher = await watch(storage);
        const first = watcher.called();
        await commitUnleased(storage, admit("msg_1"));
        await first;
        assertEqual((await storage.inbox(sessionID)).queued.length, 1, "The number of queued prompts at the first call");
        const second = watcher.called();
        await owner.write({ type: "session.put", session: sessionRow(sessionID) });
        await second;
        assert(watcher.calls() >= 2, "Not every commit was told.");
        watcher.stop();
      },
    },
    {
      name: "tells nothing of other sessions, of refused commits, and after it was stopped",
      needs: "watch",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const other = await ownNewSession(storage, "ses_2");
        const silent = await watch(storage);
        await other.write({ type: "session.put", session: sessionRow("ses_2") });
        await commitUnleased(storage, { type: "prompt.cancel", messageID: "msg_9", time: 1 }).catch(() => undefined);
        silent.stop();
        silent.stop();
        const sentinel = await watch(storage);
        const told = sentinel.called();
        await owner.write({ type: "session.put", session: sessionRow(sessionID) });
        await told;
        assertEqual(silent.calls(), 0, "The number of calls");
        sentinel.stop();
      },
    },
    {
      name: "a listener that throws hurts neither the commit nor the other listeners",
      needs: "watch",
      run: async ({ storage }) => {
        await ownNewSession(storage);
        const stop = await capability(storage.watch?.bind(storage), "watch")(sessionID, () => {
          throw new Error("broken listener");
        });
        const watcher = await watch(storage);
        const told = watcher.called();
        assertEqual(await commitUnleased(storage, admit("msg_1")), 2, "The seq");
        await told;
        watcher.stop();
        stop();
      },
    },
    {
      name: "tells the children of a deleted session too",
      needs: "watch",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const child = sessionRow("ses_child", { parentID: sessionID, rootID: sessionID });
        await storage.commit({ sessionID: "ses_child", operations: [{ type: "session.create", session: child }] });
        const watcher = await watch(storage, "ses_child");
        const told = watcher.called();
        await owner.write({ type: "session.delete" });
        await told;
        watcher.stop();
      },
    },
  ],
};
