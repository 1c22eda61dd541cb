import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { loadDriver, type Driver } from "../../../src/storage/sqlite/load-driver.ts";

/** The driver that stores by path use here: node:sqlite where this Node has it, else the package that is installed. */
export const driver: Driver = await loadDriver();

/** For the names of tests. */
export const driverName = `${driver.name} on Node ${process.versions.node}`;

/** A folder of its own for a test's databases. */
export interface TemporaryFolder extends Disposable {
  path(name: string): string;
}

export function temporaryFolder(): TemporaryFolder {
  const folder = mkdtempSync(join(tmpdir(), "throughline-sqlite-"));
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Another connection to a database, as another program has it. */
export function rawConnection(path: string): Connection {
  return new Connection(driver.open(path));
}
