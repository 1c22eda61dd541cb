import type { AssistantMessage } from "../../message/message.ts";
import type { TextLimits } from "../../tools/truncate-text.ts";
import type { LoopPace } from "../../util/loop-pace.ts";
import type { AskDesk } from "../asks/ask-desk.ts";
import type { LockTable } from "../calls/lock-table.ts";
import type { ToolCatalog } from "../calls/tool-catalog.ts";
import type { Journal } from "../journal/journal.ts";
import type { FullOutputs } from "../outputs/full-outputs.ts";
import type { OnRequest } from "../prefix/prefix-check.ts";
import type { ProcessorOptions } from "./processor-options.ts";

/** What a session gives besides the options of a processor. */
export interface StepRunnerOptions extends ProcessorOptions {
  /** The session's writer. Default: one of its own that stores nothing. */
  journal?: Journal | undefined;
  /** The agent's tools, compiled. */
  catalog?: ToolCatalog | undefined;
  /** Hears what a model call has used, while that is being written: what is written here goes into the same commit. */
  onUsage?: ((message: AssistantMessage) => void) | undefined;
  /** Hears of each request that is about to be made. */
  onRequest?: OnRequest | undefined;
  /** Where a person is asked. Default: nobody is. */
  asks?: AskDesk | undefined;
  /** What calls have to themselves, over all sessions. Default: over the steps of this runner. */
  locks?: LockTable | undefined;
  /** What of outputs is shown, and what is kept of the rest. */
  toolOutput?: { limits: TextLimits; full: FullOutputs } | undefined;
  /** Spreads the steps of all sessions over turns of the event loop. */
  pace?: LoopPace | undefined;
}
