import type { TextLimits } from "../../tools/truncate-text.ts";
import { fields, positiveInteger, wholeNumber, type OptionCheck } from "../../util/check-options.ts";
import { defaultKeptOutputs, defaultOutputLimits } from "../defaults.ts";

/** How much of tools' outputs a model is shown. Of what is larger it sees the beginning and the end. */
export interface ToolOutputOptions {
  /** Default 2,000. */
  maxLines?: number | undefined;
  /** In bytes of UTF-8. Default 51,200. */
  maxBytes?: number | undefined;
  /** In characters, instead of lines and bytes. A tool's own `maxOutputChars` comes first. */
  maxOutputChars?: number | undefined;
  /**
   * How many whole outputs of a session are kept, the newest: the model reads them with `output_read`, you with
   * `session.toolOutput()`. They go with the session. Default 100; with 0 none is kept.
   */
  keep?: number | undefined;
}

export const checkToolOutput: OptionCheck = fields<ToolOutputOptions>({ maxLines: positiveInteger, maxBytes: positiveInteger, maxOutputChars: positiveInteger, keep: wholeNumber });

/** The options, complete. */
export function toolOutputSettings({ maxLines, maxBytes, maxOutputChars, keep }: ToolOutputOptions = {}): { limits: TextLimits; keep: number } {
  const limits: TextLimits = maxOutputChars === undefined ? { maxLines: maxLines ?? defaultOutputLimits.maxLines, maxBytes: maxBytes ?? defaultOutputLimits.maxBytes } : { maxLines, maxBytes, maxChars: maxOutputChars };
  return { limits, keep: keep ?? defaultKeptOutputs };
}
