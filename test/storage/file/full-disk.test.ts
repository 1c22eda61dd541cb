import type * as fs from "node:fs";
import { beforeEach, expect, it, vi } from "vitest";
import { StorageError } from "../../../src/errors.ts";
import { fileStorage } from "../../../src/storage/file/index.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { readEverything } from "../../../src/testing/storage-conformance/read-everything.ts";
import { assistantRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { storeDirectory } from "./store-directory.ts";

/** How many bytes still fit, and whether what was written can be cut off again. */
const disk = vi.hoisted(() => ({ free: Infinity, cuts: true }));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof fs>();
  const full = (): Error => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  return {
    ...original,
    writeSync: (file: number, bytes: Buffer | string, ...rest: number[]) => {
      if (typeof bytes === "string") return original.writeSync(file, bytes, ...(rest as [number]));
      if (disk.free === 0) throw full();
      const [start = 0, length = bytes.length] = rest;
      const written = original.writeSync(file, bytes, start, Math.min(length, disk.free));
      disk.free -= written;
      return written;
    },
    ftruncateSync: (file: number, length: number) => {
      if (!disk.cuts) throw full();
      original.ftruncateSync(file, length);
    },
  };
});

beforeEach(() => {
  disk.free = Infinity;
  disk.cuts = true;
});

it.each([true, false])("a full disk fails the commit and leaves what was there (a partial line can be cut off: %s)", async (cuts) => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const owner = await ownNewSession(storage);
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1", "one") });
  const before = await readEverything(storage);
  const append = { type: "part.append" as const, messageID: "msg_1", partID: "prt_1", field: "text" as const, offset: 3, text: " two" };
  for (const free of [0, 1, 30, 100]) {
    Object.assign(disk, { free, cuts });
    await expect(owner.write(append)).rejects.toThrow(StorageError);
    disk.free = Infinity;
    expect(await readEverything(storage)).toEqual(before);
  }
  expect(await owner.write(append)).toBe(3);
  await storage.close();
  const reopened = fileStorage(directory, { sync: "never" });
  const { items } = await reopened.listMessages(sessionID);
  expect(items[0]?.parts).toEqual([textPart("msg_1", "prt_1", "one two")]);
  await reopened.close();
});

it("a commit is written when only the rewriting of its file fails", async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const owner = await ownNewSession(storage);
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
  for (let index = 0; index < 20; index += 1) {
    disk.free = 1_200;
    await owner.write({ type: "part.put", part: textPart("msg_1", "prt_1", String(index).repeat(400)) });
    disk.free = Infinity;
  }
  expect(await readEverything(storage)).toMatchObject({ session: { seq: 22 } });
  expect((await storage.listMessages(sessionID)).items[0]?.parts).toEqual([textPart("msg_1", "prt_1", "19".repeat(400))]);
  await storage.close();
});
