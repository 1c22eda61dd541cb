import { defaultLines, readPath } from "./read-path.ts";
import { judgePath, refuseOutside } from "./paths/path-gate.ts";
import { secretFiles, secretTest } from "./paths/secret-files.ts";
import { Workspace, type WorkspaceRoot, type WorkspaceSession } from "./workspace.ts";

export interface WorkspaceFilesOptions {
  /** As for `createWorkspaceTools`. */
  root: WorkspaceRoot;
  /** Further folders that files may be in. */
  extraRoots?: readonly string[] | undefined;
  /** Names of files that are not read. Default: {@link secretFiles}. */
  secrets?: readonly string[] | undefined;
}

/** What a `file:` part becomes; the agent's option `resolveFile` takes it. */
type FileContent = { type: "text"; text: string } | { type: "file"; mime: string; url: string; filename?: string | undefined };

/**
 * Reads the `file:` parts of prompts, by the rules of the read tool: a text with line numbers, a directory's entries, an image or
 * a PDF. Nothing outside of the workspace and no secret is read. `?start=10&end=20` behind the path names lines.
 *
 * @example
 * const agent = createAgent({ model, resolveFile: workspaceFiles({ root }) })
 * session.prompt([{ type: "text", text: "Explain this." }, { type: "file", mime: "text/plain", url: "file:///srv/project/a.ts" }])
 */
export function workspaceFiles({ root, extraRoots = [], secrets = secretFiles }: WorkspaceFilesOptions): (file: { url: string }, session: WorkspaceSession) => Promise<FileContent[]> {
  const workspace = new Workspace({ root, extraRoots, isSecret: secretTest(secrets) });
  return async ({ url }, session) => {
    const [address = "", query = ""] = url.split("?", 2);
    const gate = await workspace.gate(session);
    const path = await judgePath(address, gate);
    refuseOutside(path, gate);
    const { output, attachments = [] } = await readPath(path, rangeOf(new URLSearchParams(query)));
    if (attachments.length > 0) return attachments.map((file) => ({ type: "file", ...file }));
    return [{ type: "text", text: `The user attached ${path.name}:\n${output}` }];
  };
}

function rangeOf(query: URLSearchParams): { offset: number; limit: number } {
  const [start, end] = [Number(query.get("start") ?? 1), Number(query.get("end") ?? Number.NaN)];
  const offset = Number.isSafeInteger(start) && start > 0 ? start : 1;
  return { offset, limit: Number.isSafeInteger(end) && end >= offset ? end - offset + 1 : defaultLines };
}
