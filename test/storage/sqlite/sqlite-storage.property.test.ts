import { describe } from "vitest";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import { storageProperties } from "../storage-properties.ts";
import { driverName } from "./temporary-store.ts";

describe(`sqliteStorage with ${driverName}`, () => {
  storageProperties(() => sqliteStorage(":memory:"), 60);
});
