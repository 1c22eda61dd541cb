import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { applyChange } from "./apply-change.ts";
import { replaceText } from "./edit/replace-text.ts";
import type { FileResult } from "./file-result.ts";
import { missingFileError } from "./files/missing-file.ts";
import type { JudgedPath } from "./paths/judged-path.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { planContent, planEdit, refuseUnwritable, type PlannedChange } from "./plan-change.ts";
import type { Workspace } from "./workspace.ts";
import { changeLeave } from "./write-tool.ts";

export interface EditInput {
  filePath: string;
  oldString: string;
  newString: string;
  replaceAll?: boolean | undefined;
}

const description = `Replaces one text by another within a file. Use it for every change of a part of a file; use write for a new file or all of one.

- filePath: relative to the workspace, or absolute. The file has to be read with the read tool first.
- oldString: the text to be replaced, copied from the file without the line numbers, and long enough to stand there only once.
- newString: what takes its place.
- replaceAll: true replaces every place, e.g. to rename something. Default false.
- You get the number of lines that were added and removed; or why nothing was changed.

Example: {"filePath": "src/limits.ts", "oldString": "const maxSteps = 50;", "newString": "const maxSteps = 100;"}`;

/** `edit`: a part of a file. */
export function createEditTool(workspace: Workspace): Tool<EditInput, FileResult> {
  const plan = async (path: JudgedPath, input: EditInput, sessionID: string): Promise<PlannedChange> => {
    if (path.kind === "missing") {
      if (input.oldString !== "") throw await missingFileError(path);
      return planContent(path, input.newString, sessionID, workspace.versions);
    }
    return planEdit(path, (text) => edited(text, input), sessionID, workspace.versions);
  };
  return defineTool<EditInput, FileResult>({
    title: "Edit",
    description,
    input: {
      type: "object",
      properties: {
        filePath: { type: "string", description: "Path of the file" },
        oldString: { type: "string", description: "The text to be replaced" },
        newString: { type: "string", description: "What takes its place" },
        replaceAll: { type: "boolean", description: "Replace every place. Default false" },
      },
      required: ["filePath", "oldString", "newString"],
      additionalProperties: false,
    },
    timeoutMs: 30_000,
    defaultAction: "ask",
    async permission(input, context) {
      const { path } = await workspace.judge(input, input.filePath, context);
      refuseUnwritable(path);
      return changeLeave(path, () => plan(path, input, context.sessionID));
    },
    locks: (input, context) => workspace.locksOf(input, input.filePath, context),
    async execute(input, context) {
      const { sessionID } = context;
      const { path } = await workspace.judgeAgain(input, input.filePath, context);
      return applyChange(path, await plan(path, input, sessionID), { workspace, sessionID });
    },
  });
}

function edited(text: string, { oldString, newString, replaceAll }: EditInput): string {
  if (oldString === "" && text === "") return newString;
  if (oldString === "") throw new PathRefusedError("oldString is empty, and the file is not. Give the text to be replaced, or use write to replace all of it.");
  const outcome = replaceText(text, { oldString, newString, replaceAll });
  if (!outcome.ok) throw new PathRefusedError(outcome.problem);
  return outcome.text;
}
