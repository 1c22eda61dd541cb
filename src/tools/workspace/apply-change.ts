import { versionOf } from "./files/file-versions.ts";
import { writeAtomically } from "./files/write-atomically.ts";
import { fileResult, type FileResult } from "./file-result.ts";
import type { JudgedPath } from "./paths/judged-path.ts";
import type { PlannedChange } from "./plan-change.ts";
import type { Workspace } from "./workspace.ts";

/** Makes a planned change, and takes note that the session knows the file as it is now. */
export async function applyChange(path: JudgedPath, planned: PlannedChange, { workspace, sessionID }: { workspace: Workspace; sessionID: string }): Promise<FileResult> {
  const { bytes, diff, additions, deletions, impact } = planned;
  const stats = await writeAtomically(path, bytes);
  workspace.versions.note(sessionID, path.real, versionOf(stats, bytes));
  return fileResult(path, { output: `Done. ${impact}.`, diff, additions, deletions, exists: path.kind === "file" });
}
