import { describe, expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory-storage.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { storageConformance } from "../../src/testing/storage-conformance/index.ts";
import { ownNewSession } from "../../src/testing/storage-conformance/owner.ts";
import { assistantRow, sessionID, sessionRow, textPart } from "../../src/testing/storage-conformance/rows.ts";

storageConformance(
  { describe, it },
  () => {
    const clock = manualClock();
    return Promise.resolve({ storage: memoryStorage({ clock }), advance: clock.advance });
  },
  { skip: { reopen: "memory keeps nothing over a restart", damage: "memory cannot be damaged" } },
);

describe("memoryStorage", () => {
  it("hands out frozen rows, and freezes those that are put", async () => {
    const storage = memoryStorage();
    const owner = await ownNewSession(storage);
    const part = textPart("msg_1", "prt_1", "a");
    await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part });
    await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 1, text: "b" });
    expect(Object.isFrozen(part)).toBe(true);
    const [message] = (await storage.listMessages(sessionID)).items;
    expect([message?.info, message?.parts[0]].every((row) => Object.isFrozen(row))).toBe(true);
    expect(Object.isFrozen(await storage.getSession(sessionID))).toBe(true);
  });

  it("keeps a bounded number of tombstones, and says reset to who needs more", async () => {
    const storage = memoryStorage();
    const owner = await ownNewSession(storage);
    let seq = 1;
    for (let attempt = 0; attempt < 3_000; attempt += 1) {
      const id = `msg_${attempt}`;
      await owner.write({ type: "message.put", message: assistantRow(id, 1) }, { type: "part.put", part: textPart(id, "prt_1") });
      seq = await owner.write({ type: "message.delete", messageID: id });
    }
    expect(await storage.changes(sessionID, { after: 1 })).toEqual({ changes: [], seq, more: false, reset: true });
    const recent = await storage.changes(sessionID, { after: seq - 100 });
    expect(recent.reset).toBeUndefined();
    expect(recent.changes.filter(({ type }) => type === "message.deleted")).toHaveLength(50);
    const everything = await storage.changes(sessionID, { after: 0, limit: 100_000 });
    expect(everything.reset).toBeUndefined();
    expect(everything.changes.length).toBeLessThan(5_000);
    await expect(storage.listMessages(sessionID, { before: "msg_0" })).rejects.toThrow(/never promoted/);
  });

  it("reads the feed right after many writes of the same rows", async () => {
    const storage = memoryStorage();
    const owner = await ownNewSession(storage);
    await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1") });
    for (let offset = 0; offset < 3_000; offset += 1) {
      await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset, text: "x" });
    }
    const { changes, reset } = await storage.changes(sessionID, { after: 1 });
    expect(reset).toBeUndefined();
    expect(changes.map(({ seq, type }) => [seq, type])).toEqual([
      [2, "message"],
      [3_002, "part"],
    ]);
  });

  it("calls a listener that watches again from within once per commit", async () => {
    const storage = memoryStorage();
    const owner = await ownNewSession(storage);
    let calls = 0;
    const listener = (): void => {
      calls += 1;
      if (calls < 10) void storage.watch?.(sessionID, listener);
    };
    await storage.watch?.(sessionID, listener);
    await owner.write({ type: "session.put", session: sessionRow(sessionID) });
    expect(calls).toBe(1);
  });

  it("uses the machine's clock when it gets none", async () => {
    const storage = memoryStorage();
    await storage.commit({ sessionID, operations: [{ type: "session.create", session: sessionRow(sessionID) }] });
    const before = Date.now();
    const lease = await storage.acquireLease(sessionID, "own_1", 60_000);
    expect(lease?.expires).toBeGreaterThanOrEqual(before + 60_000);
  });
});
