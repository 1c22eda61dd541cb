import type { Storage } from "throughline";

type Request = (...given: never[]) => unknown;

/**
 * The storage, with a hand on every request: `decide` may answer in its place, or call `next` for the store's own answer.
 * `count` counts the requests of that kind from 1.
 */
export function intercepted(storage: Storage, decide: (method: keyof Storage, next: () => Promise<unknown>, count: number, given: readonly unknown[]) => unknown): Storage {
  const counts = new Map<PropertyKey, number>();
  return new Proxy(storage, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...given: never[]) => {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        // Only the port's own methods are asked for, and each returns a promise.
        return decide(key as keyof Storage, () => (value as Request).apply(target, given) as Promise<unknown>, count, given);
      };
    },
  });
}

/** Whether it is a commit with an operation of that type. */
export function isCommitOf(type: string, method: keyof Storage, given: readonly unknown[]): boolean {
  return method === "commit" && JSON.stringify(given[0]).includes(`"type":"${type}"`);
}

/** What a store that hangs answers. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
