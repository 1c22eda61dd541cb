import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors.ts";
import { fileStorage } from "../../src/storage/file/index.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";

const client = { query: () => Promise.reject(new Error("Nothing is asked of it.")) };
const stores: [name: string, open: (options: object) => Storage][] = [
  ["fileStorage", (options) => fileStorage("sessions", options)],
  ["sqliteStorage", (options) => sqliteStorage(":memory:", options)],
  ["postgresStorage", (options) => postgresStorage(client, options)],
];

describe.each(stores)("%s", (name, open) => {
  it("refuses an option that it does not have, and a clock that is none, at once", () => {
    for (const options of [{ clok: 1 }, { clock: {} }, { clock: 5 }]) {
      expect(() => open(options)).toThrow(InvalidArgumentError);
      expect(() => open(options)).toThrow(new RegExp(`^${name}\\.clo`));
    }
  });
});
