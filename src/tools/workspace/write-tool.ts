import { defineTool } from "../define-tool.ts";
import type { Tool, ToolPermission } from "../tool.ts";
import { applyChange } from "./apply-change.ts";
import type { FileResult } from "./file-result.ts";
import { describePath, type JudgedPath } from "./paths/judged-path.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { planContent, refuseUnwritable, type PlannedChange } from "./plan-change.ts";
import { leaveFor, type Workspace } from "./workspace.ts";

export interface WriteInput {
  filePath: string;
  content: string;
}

const description = `Writes a whole file: makes a new one, with the folders that it needs, or replaces all of an existing one. Use edit to change a part of a file.

- filePath: relative to the workspace, or absolute.
- content: all that the file will hold. Line endings of an existing file are kept.
- An existing file has to be read with the read tool first.
- You get the number of lines that were added and removed.

Example: {"filePath": "src/version.ts", "content": "export const version = \\"1.0.0\\";\\n"}`;

/** `write`: a file as a whole. */
export function createWriteTool(workspace: Workspace): Tool<WriteInput, FileResult> {
  return defineTool<WriteInput, FileResult>({
    title: "Write",
    description,
    input: {
      type: "object",
      properties: { filePath: { type: "string", description: "Path of the file" }, content: { type: "string", description: "All that the file will hold" } },
      required: ["filePath", "content"],
      additionalProperties: false,
    },
    timeoutMs: 30_000,
    defaultAction: "ask",
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.filePath, context);
      refuseUnwritable(path);
      return changeLeave(path, () => planContent(path, input.content, context.sessionID, workspace.versions));
    },
    locks: (input, context) => workspace.locksOf(input, input.filePath, context),
    async execute(input, context) {
      const { sessionID } = context;
      const { path } = await workspace.judgeAgain(input, input.filePath, context);
      return applyChange(path, await planContent(path, input.content, sessionID, workspace.versions), { workspace, sessionID });
    },
  });
}

/**
 * What a person is asked who is to allow a change. `write` and `edit` need the same leave, as one can do what the other can.
 * A change that cannot be planned yet is asked about all the same: an earlier call of the step may make it possible.
 */
export async function changeLeave(path: JudgedPath, plan: () => Promise<PlannedChange>): Promise<ToolPermission> {
  const leave = { ...leaveFor("edit", path), title: `${path.kind === "missing" ? "Create" : "Change"} ${describePath(path)}` };
  try {
    const { impact, diff } = await plan();
    return { ...leave, impact, diff };
  } catch (error) {
    if (!(error instanceof PathRefusedError)) throw error;
    return { ...leave, impact: `As it stands this would change nothing: ${error.message}` };
  }
}
