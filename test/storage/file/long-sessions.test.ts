import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileStorage } from "../../../src/storage/file/index.ts";
import type { Damage } from "../../../src/storage/storage.ts";
import { ownNewSession, type Owner } from "../../../src/testing/storage-conformance/owner.ts";
import { readTranscript } from "../../../src/testing/storage-conformance/read-everything.ts";
import { artifactRow, assistantRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { storeDirectory } from "./store-directory.ts";

async function size(...path: string[]): Promise<number> {
  return (await stat(join(...path))).size;
}

async function writeMessages(owner: Owner, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await owner.write(
      { type: "message.put", message: assistantRow(`msg_${index}`, index) },
      { type: "part.put", part: textPart(`msg_${index}`, "prt_1", `${index} `.repeat(500)) },
    );
}

it("a text that streams grows the file to no more than twice the rows' JSON", async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const owner = await ownNewSession(storage);
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part: textPart("msg_1", "prt_1") });
  let text = "";
  // Sixty deltas a second for a thousand deltas, appended each 250 ms.
  for (let index = 0; index < 67; index += 1) {
    const piece = "some words, more words. ".repeat(4);
    await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: text.length, text: piece });
    text += piece;
  }
  await owner.write({ type: "part.put", part: textPart("msg_1", "prt_1", text) });
  const rows = [await storage.getSession(sessionID), ...(await storage.listMessages(sessionID)).items];
  expect(await size(directory, "sessions", "s-ses_1.jsonl")).toBeLessThanOrEqual(2 * JSON.stringify(rows).length);
  await storage.close();
});

it("old messages and artifacts leave the log, and are read when asked for", { timeout: 60_000 }, async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const owner = await ownNewSession(storage);
  await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "z".repeat(500_000)) });
  await writeMessages(owner, 1_000);
  await storage.close();
  expect(await size(directory, "sessions", "s-ses_1.jsonl")).toBeLessThan(600_000);
  const reopened = fileStorage(directory, { sync: "never" });
  const damage: Damage[] = [];
  reopened.onDamage?.((found) => damage.push(found));
  const [archive = ""] = await readdir(join(directory, "archives"));
  const path = join(directory, "archives", archive);
  // Damage in the archive is not met by who does not read there.
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0, bytes.indexOf('"key":"msg_7"'), bytes.indexOf('"key":"msg_7"') + 5));
  expect((await reopened.listMessages(sessionID, { limit: 20 })).items.map(({ info }) => info.id)[0]).toBe("msg_999");
  expect(damage).toEqual([]);
  const all = await readTranscript(reopened, sessionID, 100);
  expect(all.map(({ info }) => info.id)).toEqual(Array.from({ length: 1_000 }, (_, index) => `msg_${999 - index}`).filter((id) => id !== "msg_7"));
  expect(damage.map(({ record, id }) => [record, id])).toEqual([["message", "msg_7"]]);
  expect((await reopened.getArtifact(sessionID, "art_1", { offset: 499_999 }))?.text).toBe("z");
  await reopened.close();
});

it("a log that lost its index finds its archive again", { timeout: 60_000 }, async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  await writeMessages(await ownNewSession(storage), 300);
  await storage.close();
  const path = join(directory, "sessions", "s-ses_1.jsonl");
  await writeFile(path, (await readFile(path, "utf8")).replace('{"index":{', '{"xndex":{'));
  const reopened = fileStorage(directory, { sync: "never" });
  const damage: Damage[] = [];
  reopened.onDamage?.((found) => damage.push(found));
  expect(await readTranscript(reopened, sessionID, 100)).toHaveLength(300);
  expect(damage).toHaveLength(1);
  await reopened.close();
});

it("ids of any kind have files of their own", async () => {
  const directory = await storeDirectory();
  const storage = fileStorage(directory, { sync: "never" });
  const ids = ["../up", "a/b", "", ".", "con", "Ses", "ses", "sEs", "\ud800", "\ud801", "é", "e\u0301", "x".repeat(5_000), `${"x".repeat(4_999)}y`, "~41", "A"];
  for (const id of ids) await ownNewSession(storage, id);
  expect((await storage.listSessions()).items.map(({ id }) => id)).toEqual(ids.toReversed());
  const files = await readdir(join(directory, "sessions"));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ids.length);
  for (const id of ids) expect((await storage.getSession(id))?.id).toBe(id);
  await storage.close();
});
