import type { JSONObject } from "../../message/json.ts";
import type { ToolAttachment } from "../normalize-tool-output.ts";
import type { JudgedPath } from "./paths/judged-path.ts";

/** What a file tool gives back. */
export interface FileResult {
  title: string;
  output: string;
  metadata: JSONObject;
  attachments?: ToolAttachment[];
}

/** A result about one path: its name as the title, and in the metadata where it really is. */
export function fileResult({ name, real }: JudgedPath, { output, ...metadata }: { output: string } & JSONObject): FileResult {
  return { title: name, output, metadata: { filepath: real, ...metadata } };
}
