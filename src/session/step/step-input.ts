import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";
import type { KnownCall } from "../repetition/known-call.ts";
import type { ProcessInput } from "./process-input.ts";
import type { Writing } from "../turn/turn-outcome.ts";

/** What a step of a session needs besides. */
export interface StepInput extends ProcessInput {
  /** The tool by which the model gives the structured answer that the prompt wants. */
  output?: CatalogEntry | undefined;
  /** What the attempts used that this one takes the place of. */
  dropped?: AssistantMessage["dropped"];
  /** The turn's calls before, to tell a repetition. */
  earlierCalls?: readonly KnownCall[] | undefined;
  /** The visible history, in which tools find what they keep. */
  history?: readonly WithParts[] | undefined;
  /** Gives what is written in the commit that begins the step. */
  begin?: (() => Writing | undefined) | undefined;
}
