import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import type { Damage, Storage } from "../../../src/storage/storage.ts";
import type { TextPart } from "../../../src/message/part.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { assistantRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { driver, driverName, rawConnection, temporaryFolder } from "./temporary-store.ts";

// Text that looks like what stands between two rows.
const texts = ['a "quoted" text', '},{"type":"text","text":"b"}', "[1,2],é \u{1f600}", "line\nline\u001f"];
// An index has them in the order of their ids.
const ids = ['prt_"4', "prt_,3", "prt_2\n", "prt_1"];

async function fill(storage: Storage): Promise<TextPart[]> {
  const owner = await ownNewSession(storage);
  const parts = texts.map((text, index) => textPart("msg_1", ids[index] ?? "", text));
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, ...parts.map((part) => ({ type: "part.put", part }) as const));
  return parts;
}

async function partsOf(storage: Storage): Promise<unknown> {
  return (await storage.listMessages(sessionID)).items[0]?.parts;
}

describe(`a page read as a whole, with ${driverName}`, () => {
  it("has parts in order of creation, whatever is in their ids and texts", async () => {
    const storage = sqliteStorage(":memory:");
    const parts = await fill(storage);
    expect(await partsOf(storage)).toEqual(parts);
    await storage.close();
  });

  it("is read row by row where the driver cannot give it as one text", async () => {
    using folder = temporaryFolder();
    const path = folder.path("store.db");
    const first = sqliteStorage(path);
    const parts = await fill(first);
    await first.close();
    const connection = rawConnection(path);
    let refused = 0;
    const storage = sqliteStorage({
      prepare: (sql) => ({
        values: (...values: (string | number | null)[]) => {
          if (sql.includes("group_concat") && sql.includes("FROM part")) {
            refused += 1;
            throw new Error("string or blob too big");
          }
          return connection.rows(sql, values);
        },
        run: () => expect.fail("reading writes nothing"),
      }),
      exec: (sql) => connection.exec(sql),
      close: () => connection.close(),
    });
    expect(await partsOf(storage)).toEqual(parts);
    expect(refused).toBe(1);
    await storage.close();
    connection.close();
  });

  it("tells of a part whose id is no UTF-8, and keeps the others", async () => {
    using folder = temporaryFolder();
    const path = folder.path("store.db");
    const first = sqliteStorage(path);
    const parts = await fill(first);
    await first.close();
    const raw = rawConnection(path);
    expect(raw.run("UPDATE part SET id = CAST(x'70ff' AS TEXT) WHERE key = 2", [])).toBe(1);
    raw.close();
    const storage = sqliteStorage(path);
    const damages: Damage[] = [];
    storage.onDamage?.((damage) => damages.push(damage));
    expect(await partsOf(storage)).toEqual(parts.toSpliced(1, 1));
    expect(damages).toMatchObject([{ record: "part", sessionID, where: expect.stringContaining('"part", row 2') as string }]);
    await storage.close();
  });

  it("two rows next to each other that were cut anywhere never come to one that nobody stored", async () => {
    const database = driver.open(":memory:");
    const storage = sqliteStorage(database);
    const parts = await fill(storage);
    const stored = [...texts.keys()].map((index) => JSON.stringify({ type: "text", text: texts[index] }));
    const cut = database.prepare("UPDATE part SET data = ? WHERE key = ?") as { run(...values: unknown[]): unknown };
    const write = (data: string, key: number): unknown => cut.run(data, key);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 0, max: 2 }), async (end, start, index) => {
        const [one = "", other = ""] = stored.slice(index);
        // At least one character is lost of each.
        write(one.slice(0, end % one.length), index + 1);
        write(other.slice(1 + (start % other.length)), index + 2);
        expect(await partsOf(storage)).toEqual(parts.toSpliced(index, 2));
        write(one, index + 1);
        write(other, index + 2);
      }),
    );
    expect(await partsOf(storage)).toEqual(parts);
    await storage.close();
    database.close();
  });
});
