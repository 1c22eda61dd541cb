import type { ToolPermission } from "../tool.ts";
import type { PermissionContext } from "../tool-context.ts";
import { FileVersions } from "./files/file-versions.ts";
import type { JudgedPath } from "./paths/judged-path.ts";
import { judgePath, openGate, refuseOutside, type PathGate } from "./paths/path-gate.ts";
import { movedError } from "./paths/open-judged.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import type { SecretTest } from "./paths/secret-files.ts";
import { dirname } from "node:path";
import { withSlashes } from "./paths/within.ts";

/** The session that a workspace belongs to. */
export type WorkspaceSession = Pick<PermissionContext, "sessionID" | "directory">;

/** Where the workspace is: a path, or a function of the session. */
export type WorkspaceRoot = string | ((session: WorkspaceSession) => string | Promise<string>);

export interface WorkspaceSettings {
  root: WorkspaceRoot;
  extraRoots: readonly string[];
  isSecret: SecretTest;
}

/** A path that was judged, and by what. */
export interface JudgedCall {
  path: JudgedPath;
  gate: PathGate;
}

/** What the file tools of one agent share: where sessions work, what they have seen, and the judgements of their calls. */
export class Workspace {
  readonly versions = new FileVersions();
  readonly #settings: WorkspaceSettings;
  /** By the input of a call: what leave was given for is what the tool then uses. */
  readonly #judged = new WeakMap<object, JudgedCall>();

  constructor(settings: WorkspaceSettings) {
    this.#settings = settings;
  }

  /**
   * The gate of a session, from what stands on the disk now.
   *
   * @throws {PathRefusedError} there is no such directory
   */
  async gate(session: WorkspaceSession): Promise<PathGate> {
    const { root, extraRoots, isSecret } = this.#settings;
    // The host's function may be written without types.
    const given: unknown = typeof root === "string" ? root : await root({ sessionID: session.sessionID, directory: session.directory });
    if (typeof given !== "string") throw new PathRefusedError("This session has no workspace, so that no file tool works. Say so, and go on without them.");
    return openGate(given, extraRoots, isSecret);
  }

  /** Judges the path of a call that is about to be decided about, and remembers it for the call. */
  async judge(input: object, path: string, session: WorkspaceSession): Promise<JudgedCall> {
    const gate = await this.gate(session);
    const call: JudgedCall = { path: await judgePath(path, gate), gate };
    this.#judged.set(input, call);
    return call;
  }

  /** What a call has to itself while it writes. */
  async locksOf(input: object, path: string, session: WorkspaceSession): Promise<string[]> {
    const { path: judged } = this.#judged.get(input) ?? (await this.judge(input, path, session));
    return [lockOf(judged)];
  }

  /**
   * Judges the path of a call that now runs, from what stands on the disk by now. It has to lead where it led when leave was
   * given. One that nobody judged, as without the engine, has to stay in the workspace.
   *
   * @throws {PathRefusedError} it leads elsewhere, or nobody gave leave for it
   */
  async judgeAgain(input: object, path: string, session: WorkspaceSession): Promise<JudgedCall> {
    const before = this.#judged.get(input);
    const gate = await this.gate(session);
    const now = await judgePath(path, gate);
    if (before === undefined) refuseOutside(now, gate);
    else if (before.path.real !== now.real || before.gate.root !== gate.root) throw movedError(before.path.name);
    return { path: now, gate };
  }
}

/** What leave a path needs, besides a title and the like: its own permission, and to leave the workspace where it does. */
export function leaveFor(permission: string, path: JudgedPath, patterns: readonly string[] = spellings(path)): ToolPermission {
  const isInside = path.root !== undefined;
  return {
    permission,
    patterns,
    // One answer is for all of the workspace; outside, for what was shown.
    ...(isInside && { always: ["*"] }),
    ...(!isInside && { also: [{ permission: "external_directory", patterns: [`${folderOf(path)}/*`] }] }),
  };
}

/** A rule about either spelling counts. */
function spellings({ name, askedAs }: JudgedPath): string[] {
  return askedAs === undefined ? [name] : [name, askedAs];
}

function folderOf({ kind, real }: JudgedPath): string {
  return withSlashes(kind === "directory" ? real : dirname(real)).replace(/\/$/, "");
}

/** The names of what a call that writes has to itself. Case does not matter to some disks, and too wide a lock does no harm. */
function lockOf({ real }: JudgedPath): string {
  return `file:${real.normalize("NFC").toLowerCase()}`;
}

