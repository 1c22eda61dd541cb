import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The heap in use after the work, once everything that can be collected was. */
export async function heapMegabytes(work: () => PromiseLike<unknown>): Promise<number> {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  await work();
  for (let round = 0; round < 3; round += 1) {
    // Weak references are cleared between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed / 1_000_000;
}
