import { existsSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { ownNewSession } from "../../../src/testing/storage-conformance/owner.ts";
import { artifactRow, assistantRow, sessionID, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { driverName, rawConnection, temporaryFolder } from "./temporary-store.ts";

function sizeOf(path: string): number {
  return [path, `${path}-wal`].map((file) => (existsSync(file) ? statSync(file).size : 0)).reduce((a, b) => a + b);
}

it(`a stream of 1,000 deltas lets the store grow by at most twice its JSON, with ${driverName}`, async () => {
  using folder = temporaryFolder();
  const path = folder.path("store.db");
  const clock = manualClock();
  const storage = sqliteStorage(path, { clock });
  const owner = await ownNewSession(storage);
  const part = textPart("msg_1", "prt_1");
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "part.put", part });
  await clock.advance(2_000);
  const before = sizeOf(path);
  // 60 deltas a second; what has come is appended each 250 ms.
  const addition = "A delta of the usual size. ".repeat(15);
  let text = "";
  while (text.length < addition.length * 67) {
    await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: text.length, text: addition });
    text += addition;
    await clock.advance(250);
  }
  await owner.write({ type: "part.put", part: { ...part, text } }, { type: "message.put", message: assistantRow("msg_1", 1, { finish: "stop" }) });
  await clock.advance(1_000);
  const json = JSON.stringify([{ ...part, text }, assistantRow("msg_1", 1, { finish: "stop" })]).length;
  expect(sizeOf(path) - before).toBeLessThanOrEqual(2 * json);
  expect(clock.pending()).toBe(0);
  await storage.close();
  const raw = rawConnection(path);
  expect(raw.rows("SELECT count(*) FROM part_piece", [])).toEqual([[0]]);
  raw.close();
});

it("closing leaves everything in one file", async () => {
  using folder = temporaryFolder();
  const storage = sqliteStorage(folder.path("store.db"));
  await ownNewSession(storage);
  await storage.close();
  expect(sizeOf(folder.path("store.db"))).toBe(statSync(folder.path("store.db")).size);
  const again = sqliteStorage(folder.path("store.db"));
  expect((await again.getSession(sessionID))?.seq).toBe(1);
  await again.close();
});

it("a range of a large artifact is right wherever its pieces end", async () => {
  const storage = sqliteStorage(":memory:");
  const owner = await ownNewSession(storage);
  const text = Array.from({ length: 10_000 }, (_, index) => `line ${index} 😀`).join("\n");
  await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", text.slice(0, 20_001)) });
  await owner.write({ type: "artifact.append", artifactID: "art_1", offset: 20_001, text: text.slice(20_001) });
  for (const [offset, limit] of [[0, 10], [16_383, 3], [16_384, 1], [20_000, 2], [30_000, 50_000], [text.length - 1, 5]] as const) {
    const artifact = await storage.getArtifact(sessionID, "art_1", { offset, limit });
    expect([artifact?.text, artifact?.size]).toEqual([text.slice(offset, offset + limit), text.length]);
  }
  await owner.write({ type: "artifact.append", artifactID: "art_1", offset: 16_390, text: "end" });
  expect((await storage.getArtifact(sessionID, "art_1"))?.text).toBe(`${text.slice(0, 16_390)}end`);
  await storage.close();
});
