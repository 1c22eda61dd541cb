import { describe, expect, it } from "vitest";
import { createAgent, memoryStorage, type Damage, type LogRecord, type SessionEventMap, type Storage } from "throughline";
import { manualClock, scriptedModel } from "throughline/testing";

type DamagedEvent = SessionEventMap["session.damaged"];

/** A store that says of damage what the test tells it to. */
function damagedStorage(): { storage: Storage; damage: (damage: Damage) => void; listeners: () => number } {
  const listeners = new Set<(damage: Damage) => void>();
  const onDamage: Storage["onDamage"] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const damage = (found: Damage): void => {
    for (const listener of listeners) listener(found);
  };
  return { storage: { ...memoryStorage(), onDamage }, damage, listeners: () => listeners.size };
}

const where = { record: "part" as const, id: "prt_1", where: "sessions.jsonl:7", reason: "no JSON" };

function agentOver(storage: Storage) {
  const log: LogRecord[] = [];
  const heard: DamagedEvent[] = [];
  const agent = createAgent({ model: scriptedModel([]), storage, clock: manualClock(5), logger: (record) => log.push(record) });
  agent.on("session.damaged", (event) => heard.push(event));
  return { agent, heard, log };
}

describe("a damaged record", () => {
  it("of an open session is an event of the session and of its agent, and a warning", async () => {
    const { storage, damage } = damagedStorage();
    const { agent, heard, log } = agentOver(storage);
    const session = await agent.session({ id: "ses_1" });
    const heardHere: DamagedEvent[] = [];
    session.on("session.damaged", (event) => heardHere.push(event));
    damage({ ...where, sessionID: "ses_1" });
    await session.messages();
    const event = { type: "session.damaged", sessionID: "ses_1", rootID: "ses_1", seq: 1, time: 5, turnID: undefined, damage: { ...where, sessionID: "ses_1" } };
    expect([heard, heardHere]).toEqual([[event], [event]]);
    expect(log).toEqual([{ level: "warn", message: "A record cannot be read and was set aside: sessions.jsonl:7: no JSON", sessionID: "ses_1", damage: event.damage }]);
  });

  it("of another session, or of nobody knows which, is an event of the agent alone", async () => {
    const { storage, damage } = damagedStorage();
    const { agent, heard } = agentOver(storage);
    const session = await agent.session({ id: "ses_1" });
    let heardHere = 0;
    session.on("*", () => (heardHere += 1));
    damage({ ...where, sessionID: "ses_2" });
    damage(where);
    await session.messages();
    expect(heard.map(({ sessionID, rootID, seq, damage: { id } }) => [sessionID, rootID, seq, id])).toEqual([["ses_2", "", 0, "prt_1"], ["", "", 0, "prt_1"]]);
    expect(heardHere).toBe(0);
  });

  it("of a session that is just being opened is an event of that session", async () => {
    const { storage, damage } = damagedStorage();
    const { getSession } = storage;
    storage.getSession = (sessionID) => {
      damage({ ...where, sessionID });
      return getSession(sessionID);
    };
    const { agent, heard } = agentOver(storage);
    const session = await agent.session({ id: "ses_1" });
    await session.messages();
    expect(heard.map(({ rootID }) => rootID)).toEqual(["ses_1"]);
  });

  it("is listened for from the first use of the storage until the agent is closed", async () => {
    const { storage, damage, listeners } = damagedStorage();
    const { agent, log } = agentOver(storage);
    expect(listeners()).toBe(0);
    await agent.sessions();
    await agent.session();
    expect(listeners()).toBe(1);
    await agent.close();
    await agent.sessions();
    damage(where);
    expect([listeners(), log]).toEqual([0, []]);
  });
});
