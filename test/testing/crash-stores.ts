import { memoryStorage } from "throughline";
import type { CrashScenario } from "throughline/testing";

/** The stores that crash scenarios run on, by name. An adapter joins with a line here. */
export const crashStores: Readonly<Record<string, CrashScenario["storage"]>> = {
  memory: ({ clock }) => {
    const storage = memoryStorage({ clock });
    return Promise.resolve({ storage, reopen: () => Promise.resolve(storage) });
  },
};
