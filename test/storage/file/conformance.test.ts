import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { fileNameOf } from "../../../src/storage/file/file-name.ts";
import { fileStorage } from "../../../src/storage/file/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { storageConformance } from "../../../src/testing/storage-conformance/index.ts";

/** Turns one bit of a line in the middle of a log: behind its header, and before lines that go on from it. */
async function spoilLine(path: string): Promise<void> {
  const bytes = await readFile(path);
  const lines = bytes.toString("latin1").split(/(?<=\n)/);
  const middle = lines.length >> 1;
  const byte = lines.slice(0, middle).join("").length + ((lines[middle]?.length ?? 0) >> 1);
  bytes.writeUInt8(bytes.readUInt8(byte) ^ 1, byte);
  await writeFile(path, bytes);
}

storageConformance({ describe, it }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "throughline-file-"));
  const clock = manualClock();
  const storage = fileStorage(directory, { clock });
  return {
    storage,
    advance: clock.advance,
    reopen: async () => {
      await storage.close();
      return fileStorage(directory, { clock });
    },
    damage: async (sessionID) => {
      await storage.close();
      await spoilLine(join(directory, "sessions", `${fileNameOf(sessionID)}.jsonl`));
      return fileStorage(directory, { clock });
    },
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
});
