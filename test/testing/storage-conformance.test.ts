import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors.ts";
import { memoryStorage } from "../../src/storage/memory-storage.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import type { ConformanceOptions, ConformanceRunner, ConformanceStore } from "../../src/testing/storage-conformance/index.ts";
import { storageConformance } from "../../src/testing/storage-conformance/index.ts";

interface RegisteredTest {
  name: string;
  run: () => Promise<void>;
}

/** Registers the suite with a runner that only takes notes. */
function register(factory: () => Promise<ConformanceStore>, options?: ConformanceOptions, withSkip = true) {
  const tests: RegisteredTest[] = [];
  const skipped: string[] = [];
  const note = (name: string, run: () => Promise<void>): void => void tests.push({ name, run });
  const runner: ConformanceRunner = {
    describe: (_name, body) => {
      body();
    },
    it: withSkip ? Object.assign(note, { skip: (name: string) => void skipped.push(name) }) : note,
  };
  storageConformance(runner, factory, options);
  return { tests, skipped };
}

async function failures(tests: RegisteredTest[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { run } of tests) await run().catch((error: unknown) => failed.push(String(error)));
  return failed;
}

/** The first test that does not pass: enough to know that a fault is found. */
async function firstFailure(tests: RegisteredTest[]): Promise<string | undefined> {
  for (const test of tests) if ((await failures([test])).length > 0) return test.name;
  return undefined;
}

/** A memory store with something wrong. */
function brokenStore(breakage: (storage: Storage) => Partial<Storage>): () => Promise<ConformanceStore> {
  return () => {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    return Promise.resolve({ storage: { ...storage, ...breakage(storage) }, advance: clock.advance });
  };
}

const skip = { reopen: "memory", damage: "memory" };

/** Cases that need `reopen` or `damage`. */
const skippedCases = 8;

/** A memory store that changes what goes in, or comes out, as JSON. */
function throughJSON(change: (json: string) => string): (storage: Storage) => Partial<Storage> {
  const changed = <T>(value: T): T => JSON.parse(change(JSON.stringify(value))) as T;
  return (storage) => ({ commit: ({ operations, ...batch }) => storage.commit({ ...batch, operations: changed(operations) }) });
}

/** A memory store under which names of sessions fall together that this function makes equal. */
function renaming(rename: (id: string) => string): (storage: Storage) => Partial<Storage> {
  return (storage) => ({
    commit: ({ sessionID, operations, ...batch }) =>
      storage.commit({
        ...batch,
        sessionID: rename(sessionID),
        operations: operations.map((operation) => (operation.type === "session.create" ? { ...operation, session: { ...operation.session, id: rename(sessionID), rootID: rename(sessionID) } } : operation)),
      }),
    getSession: (id) => storage.getSession(rename(id)),
  });
}

describe("storageConformance", () => {
  it("passes for the memory store", async () => {
    expect(
      await failures(
        register(
          brokenStore(() => ({})),
          { skip },
        ).tests,
      ),
    ).toEqual([]);
  });

  it.each<[string, (storage: Storage) => Partial<Storage>]>([
    [
      "lists oldest first",
      (storage) => ({ listMessages: async (...query) => ({ items: (await storage.listMessages(...query)).items.reverse() }) }),
    ],
    ["forgets the lease check", (storage) => ({ commit: ({ lease: _, ...batch }) => storage.commit(batch) })],
    [
      "loses tombstones",
      (storage) => ({
        changes: async (...query) => {
          const page = await storage.changes(...query);
          return { ...page, changes: page.changes.filter(({ type }) => !type.endsWith(".deleted")) };
        },
      }),
    ],
    [
      "gives every lease",
      (storage) => ({
        acquireLease: async (rootID, owner, ttlMs) =>
          (await storage.acquireLease(rootID, owner, ttlMs)) ?? { rootID, owner, fence: 1, seq: 1, expires: 0 },
      }),
    ],
    ["writes the first operations of a refused batch", (storage) => ({ commit: async (batch) => {
      try {
        return await storage.commit(batch);
      } catch (error) {
        if (batch.operations.length > 1) await storage.commit({ ...batch, operations: batch.operations.slice(0, -1) }).catch(() => undefined);
        throw error;
      }
    } })],
    ["cannot hold NUL", throughJSON((json) => json.replaceAll("\\u0000", ""))],
    ["replaces lone surrogates", throughJSON((json) => json.replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd"))],
    ["trims texts", throughJSON((json) => json.replaceAll(/ "/g, '"'))],
    ["tells no upper from lower case", renaming((id) => id.toLowerCase())],
    ["takes a slash for a folder", renaming((id) => id.replaceAll("/", "_"))],
    ["cuts long names", renaming((id) => id.slice(0, 255))],
    ["shortens a lease by renewing it", (storage) => ({
      acquireLease: async (rootID, owner, ttlMs) => {
        const held = await storage.acquireLease(rootID, owner, 1);
        if (held === undefined) return undefined;
        await storage.releaseLease(held);
        return storage.acquireLease(rootID, owner, ttlMs);
      },
    })],
    ["ends a page of changes within a commit", (storage) => ({
      changes: async (sessionID, { after, limit = 500 }) => {
        const page = await storage.changes(sessionID, { after, limit: 10_000 });
        const changes = page.changes.slice(0, limit);
        return changes.length === page.changes.length ? page : { changes, seq: changes.at(-1)?.seq ?? after, more: true };
      },
    })],
    ["counts bytes in ranges", (storage) => ({
      getArtifact: async (sessionID, id, range) => {
        const artifact = await storage.getArtifact(sessionID, id);
        const bytes = Buffer.from(artifact?.text ?? "").subarray(range?.offset ?? 0, (range?.offset ?? 0) + (range?.limit ?? Infinity));
        return artifact && { ...artifact, text: bytes.toString() };
      },
    })],
    ["answers after close", () => ({ close: () => Promise.resolve() })],
  ])("fails for a store that %s", async (_name, breakage) => {
    expect(await firstFailure(register(brokenStore(breakage), { skip }).tests)).toBeDefined();
  });

  it("fails, and says what to do, when a store lacks something without a reason", async () => {
    const { tests } = register(() => {
      const { watch: _, ...storage } = memoryStorage();
      return Promise.resolve({ storage });
    });
    const messages = [...new Set(await failures(tests))];
    const expected = ["advance", "damage", "reopen", "watch"].map(
      (name) => `Error: This store has no ${name}(). Provide it, or give the reason in options.skip.${name}.`,
    );
    expect(messages.sort()).toEqual(expected);
  });

  it("shows what it skips with the reason, also in a runner that cannot skip", () => {
    const { skipped, tests } = register(
      brokenStore(() => ({})),
      { skip },
    );
    expect(skipped).toHaveLength(skippedCases);
    expect(skipped.every((name) => name.endsWith("(skipped: memory)"))).toBe(true);
    const plain = register(
      brokenStore(() => ({})),
      { skip },
      false,
    );
    expect(plain.tests).toHaveLength(tests.length + skippedCases);
    expect(plain.tests.filter(({ name }) => name.endsWith("(skipped: memory)"))).toHaveLength(skippedCases);
  });

  it("gives each test a store of its own, and disposes of it, also after a failure", async () => {
    let made = 0;
    let disposed = 0;
    const { tests } = register(() => {
      made += 1;
      return Promise.resolve({
        storage: memoryStorage(),
        dispose: () => {
          disposed += 1;
          return Promise.resolve();
        },
      });
    });
    expect(await failures(tests)).not.toEqual([]);
    expect([made, disposed]).toEqual([tests.length, tests.length]);
  });

  it("names no test twice within the whole suite", () => {
    const names = register(brokenStore(() => ({}))).tests.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("storageConformance, used wrong,", () => {
  const factory = () => Promise.resolve({ storage: memoryStorage() });
  it.each<[string, unknown[], RegExp]>([
    ["without anything", [], /storageConformance\.runner: expected \{ describe, it \}/],
    ["with a runner that is none", [{}, factory], /storageConformance\.runner: expected \{ describe, it \}/],
    ["without a factory", [{ describe, it }], /storageConformance\.factory: expected a function/],
    ["with an unknown option", [{ describe, it }, factory, { skipp: {} }], /storageConformance\.options\.skipp: there is no such option/],
    ["with the skip of an unknown capability", [{ describe, it }, factory, { skip: { fly: "it cannot" } }], /storageConformance\.options\.skip\.fly: there is no such option/],
  ])("%s says so", (_what, given, message) => {
    const attempt = (): void => {
      storageConformance(...(given as Parameters<typeof storageConformance>)); // Wrong on purpose.
    };
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(InvalidArgumentError);
  });
});
