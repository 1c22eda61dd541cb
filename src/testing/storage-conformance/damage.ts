import type { Damage, Storage } from "../../storage/storage.ts";
import { assert, assertEqual, assertRejects } from "./assert.ts";
import { capability } from "./capability.ts";
import type { ConformanceStore, ConformanceTopic } from "./conformance-case.ts";
import { ownFullSession } from "./full-session.ts";
import { ownNewSession, ownSession } from "./owner.ts";
import { readEverything, readTranscript } from "./read-everything.ts";
import { assistantRow, sessionID, textPart } from "./rows.ts";

/** Two sessions, the second of which is then spoiled, and a listener for what is met of it. */
async function spoiled(store: ConformanceStore, test: (storage: Storage, found: readonly Damage[], before: unknown) => Promise<void>): Promise<void> {
  const damage = capability(store.damage?.bind(store), "damage");
  const first = await ownFullSession(store.storage);
  const second = await ownNewSession(store.storage, damagedID);
  const message = assistantRow("msg_1", 1, { sessionID: damagedID });
  await second.write({ type: "message.put", message }, { type: "part.put", part: { ...textPart("msg_1", "prt_1", "text"), sessionID: damagedID } });
  await second.write({ type: "part.put", part: { ...textPart("msg_1", "prt_2", "text"), sessionID: damagedID } });
  for (const { lease } of [first, second]) await store.storage.releaseLease(lease);
  const before = await readEverything(store.storage);
  const storage = await damage(damagedID);
  const found: Damage[] = [];
  const stop = capability(storage.onDamage?.bind(storage), "damage")((record) => found.push(record));
  try {
    await test(storage, found, before);
  } finally {
    stop();
    await storage.close();
  }
}

const damagedID = "ses_damaged";

export const damageTopic: ConformanceTopic = {
  name: "a damaged record",
  cases: [
    {
      name: "leaves the other sessions as they were, to be read, listed and written",
      needs: "damage",
      run: (store) =>
        spoiled(store, async (storage, found, before) => {
          await readTranscript(storage, damagedID).catch(() => undefined);
          assertEqual(await readEverything(storage), before, "The other session");
          const listed = (await storage.listSessions()).items.map(({ id }) => id);
          assert(listed.includes(sessionID), "The other session is not listed.");
          const owner = await ownSession(storage, sessionID, "own_2");
          assertEqual(await owner.write({ type: "message.put", message: assistantRow("msg_n", 9) }), 3, "The other session's next seq");
          assert(found.every((damage) => damage.sessionID === undefined || damage.sessionID === damagedID), "Damage was reported of a session that has none.");
        }),
    },
    {
      name: "is reported when it is met, and set aside: its session opens, and can be written",
      needs: "damage",
      run: (store) =>
        spoiled(store, async (storage, found) => {
          if ((await storage.getSession(damagedID)) === undefined) await assertRejects(storage.listMessages(damagedID), "session-not-found", "A session whose row is damaged");
          else {
            const messages = await readTranscript(storage, damagedID);
            assert(messages.every(({ info, parts }) => parts.every((part) => part.messageID === info.id)), "A part stands at another message.");
            await storage.inbox(damagedID);
            const owner = await ownSession(storage, damagedID, "own_2");
            await owner.write({ type: "message.put", message: assistantRow("msg_n", 9, { sessionID: damagedID }) });
            assertEqual((await readTranscript(storage, damagedID))[0]?.info.id, "msg_n", "The newest message");
          }
          assert(found.length > 0, "The damage was not reported.");
          assert(found.every(({ where, reason }) => where !== "" && reason !== ""), "A report does not say where the damage is, or what is wrong.");
        }),
    },
  ],
};
