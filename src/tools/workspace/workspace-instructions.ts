import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { judgePath, openGate, refuseOutside } from "./paths/path-gate.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { openJudged } from "./paths/open-judged.ts";
import { wayWithin } from "./paths/within.ts";
import { readBytes } from "./files/read-whole.ts";
import { Workspace, type WorkspaceRoot, type WorkspaceSession } from "./workspace.ts";

export interface WorkspaceInstructionsOptions {
  /** As for `createWorkspaceTools`. */
  root: WorkspaceRoot;
  /** Names of instruction files: of each folder the first that is there. Default `AGENTS.md`, `CLAUDE.md`, `CONTEXT.md`. */
  files?: readonly string[] | undefined;
  /** What stands before them, e.g. who the agent is. */
  instructions?: string | readonly string[] | undefined;
  /** Milliseconds since the epoch, for the date. Default: the machine's clock. */
  now?: (() => number) | undefined;
}

const defaultFiles = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

/** Of each instruction file. Longer ones would crowd out the work. */
const maxFileBytes = 50_000;

/**
 * Instructions for an agent that works in a folder: what the machine is like, and the project's own instruction files, from the
 * project's root (the nearest folder above with a `.git`) down to the workspace. They are rendered when a session begins, and
 * stay as they are while it lasts, so that the request keeps its prefix.
 *
 * @example
 * const agent = createAgent({ model, instructions: workspaceInstructions({ root }), tools: createWorkspaceTools({ root }) })
 */
export function workspaceInstructions({ root, files = defaultFiles, instructions = [], now = Date.now }: WorkspaceInstructionsOptions): (session: WorkspaceSession) => Promise<string[]> {
  const workspace = new Workspace({ root, extraRoots: [], isSecret: () => false });
  return async (session) => {
    const gate = await workspace.gate(session);
    const project = await projectRoot(gate.root);
    const environment = environmentText(gate.root, { isRepository: project !== undefined, now: now() });
    const found = await instructionFiles(gate.root, project ?? gate.root, files);
    return [...(typeof instructions === "string" ? [instructions] : instructions), environment, ...found];
  };
}

function environmentText(root: string, { isRepository, now }: { isRepository: boolean; now: number }): string {
  return [
    "<environment>",
    `Workspace: ${root}`,
    `Git repository: ${isRepository ? "yes" : "no"}`,
    `Platform: ${process.platform}`,
    `Date when this session began: ${new Date(now).toISOString().slice(0, 10)}`,
    "</environment>",
  ].join("\n");
}

async function projectRoot(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (await access(join(folder, ".git")).then(() => true, () => false)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

async function instructionFiles(root: string, project: string, names: readonly string[]): Promise<string[]> {
  const folders = [root];
  for (let folder = root; folder !== project; folder = dirname(folder)) folders.unshift(dirname(folder));
  const found = await Promise.all(folders.map((folder) => firstFile(folder, project, names)));
  return found.filter((text) => text !== undefined);
}

/** The first file that is there. A link that leads out of the project is not followed. */
async function firstFile(folder: string, project: string, names: readonly string[]): Promise<string | undefined> {
  const gate = await openGate(project, [], () => false);
  for (const name of names) {
    try {
      const path = await judgePath(join(folder, name), gate);
      refuseOutside(path, gate);
      if (path.kind !== "file") continue;
      const handle = await openJudged(path);
      try {
        const bytes = await readBytes(handle, maxFileBytes + 1);
        const text = new TextDecoder().decode(bytes.subarray(0, maxFileBytes)).trim();
        if (text === "") continue;
        return `Instructions from ${wayWithin(project, join(folder, name))}:\n${text}${bytes.length > maxFileBytes ? "\n(The file goes on, and was cut here.)" : ""}`;
      } finally {
        await handle.close();
      }
    } catch (error) {
      // Not to be read: then it is as if it were not there.
      if (!(error instanceof PathRefusedError)) throw error;
    }
  }
  return undefined;
}
