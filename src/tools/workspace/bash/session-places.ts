import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endGroup, isGroupAlive } from "./process-group.ts";

/** What sessions have on this machine: a folder for temporary files each, and the processes that they left running. */
export class SessionPlaces {
  readonly #folders = new Map<string, string>();
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #groups = new Map<string, Set<number>>();

  /** Path of the session's folder, which need not exist yet. Nobody can know it beforehand. */
  folderOf(sessionID: string): string {
    let folder = this.#folders.get(sessionID);
    if (folder === undefined) this.#folders.set(sessionID, (folder = join(tmpdir(), randomUUID())));
    return folder;
  }

  /** Makes the session's folder, closed to other users. */
  async makeFolder(sessionID: string): Promise<string> {
    const folder = this.folderOf(sessionID);
    let made = this.#made.get(sessionID);
    if (made === undefined) this.#made.set(sessionID, (made = mkdir(folder, { mode: 0o700, recursive: true })));
    await made;
    return folder;
  }

  addGroup(sessionID: string, group: number): void {
    const groups = this.#groups.get(sessionID) ?? new Set();
    // A number that is free again may become somebody else's.
    for (const known of groups) if (!isGroupAlive(known)) groups.delete(known);
    this.#groups.set(sessionID, groups.add(group));
  }

  /** The command has ended. @returns whether it left processes in the background */
  endOfCommand(sessionID: string, group: number): boolean {
    if (isGroupAlive(group)) return true;
    this.#groups.get(sessionID)?.delete(group);
    return false;
  }

  /** Ends the session's processes and removes its folder. */
  async remove(sessionID: string, graceMs: number): Promise<void> {
    const groups = [...(this.#groups.get(sessionID) ?? [])];
    const folder = this.#folders.get(sessionID);
    this.#groups.delete(sessionID);
    this.#folders.delete(sessionID);
    this.#made.delete(sessionID);
    await Promise.all(groups.filter(isGroupAlive).map((group) => endGroup(group, graceMs)));
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async removeAll(graceMs: number): Promise<void> {
    const sessions = new Set([...this.#folders.keys(), ...this.#groups.keys()]);
    await Promise.all([...sessions].map((sessionID) => this.remove(sessionID, graceMs)));
  }
}
