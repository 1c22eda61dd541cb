import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileStorage } from "../../../src/storage/file/index.ts";
import type { Damage, Storage } from "../../../src/storage/storage.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { readEverything } from "../../../src/testing/storage-conformance/read-everything.ts";
import { assistantRow, promptRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { storeDirectory } from "./store-directory.ts";

const path = (directory: string) => join(directory, "sessions", "s-ses_1.jsonl");

/** A session of several commits, beside another one. */
async function fill(directory: string): Promise<void> {
  const storage = fileStorage(directory, { sync: "never" });
  const owner = await ownNewSession(storage);
  await ownNewSession(storage, "ses_2");
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1", "one") });
  await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 3, text: " two" });
  await owner.write({ type: "message.put", message: assistantRow("msg_2", 2) }, { type: "part.put", part: textPart("msg_2", "prt_2", "three") });
  await owner.write({ type: "prompt.admit", message: promptRow("msg_3"), parts: [textPart("msg_3", "prt_3", "Hi")] });
  await storage.close();
}

/** Opens a directory, and tells what damage is met while `use` runs. */
async function opened<T>(directory: string, use: (storage: Storage) => Promise<T>): Promise<{ result: T; damage: Damage[] }> {
  const storage = fileStorage(directory, { sync: "never" });
  const damage: Damage[] = [];
  storage.onDamage?.((found) => damage.push(found));
  try {
    return { result: await use(storage), damage };
  } finally {
    await storage.close();
  }
}

/** Every query, and a commit. Throws when one of them fails. */
async function useAll(storage: Storage): Promise<void> {
  expect((await storage.listSessions()).items.map(({ id }) => id).toSorted()).toEqual([sessionID, "ses_2"]);
  await readEverything(storage);
  await readEverything(storage, "ses_2");
  const { seq } = await storage.commit({ sessionID, operations: [{ type: "prompt.admit", message: promptRow("msg_new"), parts: [] }] });
  expect((await storage.inbox(sessionID)).queued.map(({ info }) => info.id)).toContain("msg_new");
  expect((await storage.getSession(sessionID))?.seq).toBe(seq);
}

it("a last line that was cut off at any byte is skipped and reported, and does not swallow the next one", { timeout: 60_000 }, async () => {
  const directory = await storeDirectory();
  await fill(directory);
  const whole = await readFile(path(directory));
  const before = await opened(directory, (storage) => readEverything(storage));
  const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
  for (let length = lastLine; length < whole.length; length += 1) {
    await writeFile(path(directory), whole.subarray(0, length));
    const isWhole = length === whole.length - 1;
    const { damage } = await opened(directory, async (storage) => {
      const everything = await readEverything(storage);
      if (isWhole) expect(everything).toEqual(before.result);
      else expect((await storage.getSession(sessionID))?.seq).toBe(4);
      await useAll(storage);
    });
    const isTold = length > lastLine && !isWhole;
    expect(damage.map(({ record, sessionID: id }) => [record, id])).toEqual(isTold ? [["commit", sessionID]] : []);
    const again = await opened(directory, (storage) => storage.inbox(sessionID));
    expect(again.result.queued.map(({ info }) => info.id)).toEqual(isWhole ? ["msg_3", "msg_new"] : ["msg_new"]);
  }
});

it.each<[string, (line: Buffer) => Buffer]>([
  ["zero-filled", (line) => Buffer.alloc(line.length)],
  ["zero-filled but for its newline", (line) => Buffer.concat([Buffer.alloc(line.length - 1), Buffer.from("\n")])],
  ["with another byte in it", (line) => Buffer.from(line.map((byte, index) => (index === line.length >> 1 ? byte ^ 1 : byte)))],
  ["cut in half", (line) => Buffer.concat([line.subarray(0, line.length >> 1), Buffer.from("\n")])],
])("any single line %s: the rest is kept, and the other sessions list and open", async (_name, breakLine) => {
  const directory = await storeDirectory();
  await fill(directory);
  const whole = await readFile(path(directory));
  const lines = whole.toString("utf8").split(/(?<=\n)/);
  expect(lines).toHaveLength(6);
  for (const broken of lines.keys()) {
    await writeFile(path(directory), Buffer.concat(lines.map((line, index) => (index === broken ? breakLine(Buffer.from(line)) : Buffer.from(line)))));
    const { damage, result } = await opened(directory, async (storage) => {
      const transcript = (await storage.listMessages(sessionID)).items;
      await useAll(storage);
      return transcript;
    });
    expect(damage.map(({ record }) => record)).toEqual(["commit"]);
    // The first line is the header, the second one made the session, and then each line made something.
    const texts = result.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")));
    const expected = [["three", "one two"], ["three", "one two"], ["three"], ["three", "one"], ["one two"], ["three", "one two"]];
    // A line that lost its newline as well takes the next one along.
    const losesNext = breakLine(Buffer.from(lines[broken] ?? "")).at(-1) !== 0x0a;
    if (!losesNext) expect(texts).toEqual(expected[broken]);
  }
});

it("a deleted session stays deleted, whichever line of its tombstone is damaged", async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const owner = await ownNewSession(storage);
  await owner.write({ type: "session.delete" });
  await storage.close();
  const lines = (await readFile(path(directory), "utf8")).split(/(?<=\n)/);
  for (const broken of lines.keys()) {
    await writeFile(path(directory), lines.map((line, index) => (index === broken ? line.replace("deleted", "deletes") : line)).join(""));
    const { result } = await opened(directory, async (reopened) => [await reopened.getSession(sessionID), (await reopened.listSessions()).items]);
    expect(result).toEqual([undefined, []]);
  }
});

it("a damaged lease counts as given back, and its fence does not repeat", async () => {
  const directory = await storeDirectory();
  await fill(directory);
  const [file] = await readdir(join(directory, "leases"));
  await writeFile(join(directory, "leases", file ?? ""), Buffer.alloc(20));
  const { result, damage } = await opened(directory, (storage) => storage.acquireLease(sessionID, "own_2", 1_000));
  expect(result?.fence).toBe(2);
  expect(damage).toHaveLength(1);
});
