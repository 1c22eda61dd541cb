import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { fileStorage } from "../../../src/storage/file/index.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { storageConformance } from "../../../src/testing/storage-conformance/index.ts";

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
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
});
