import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory that goes with the test. */
export async function storeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "throughline-file-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
