import type { ProviderMetadata } from "./json.ts";

/** Which names the wire takes: call ids and tool names. */
export interface WireNameRule {
  /** Every character that may occur. Names that have to be made are made of these. */
  alphabet: string;
  /** In characters. */
  minLength: number;
  /** In characters. */
  maxLength: number;
}

/** Which media types a place takes, e.g. `image/png`, `audio/*`. A medium of another type is described in words. */
export interface MediaRule {
  /** Sent as base64. */
  inline: readonly string[];
  /** Sent as an `http(s)` URL that the provider loads. */
  urls: readonly string[];
}

/**
 * How much media one request takes. What is too large is described in words; when there are too many, the oldest are, half
 * of them at once.
 */
export interface MediaLimits {
  /** Media in a request. */
  count: number;
  /** Those of them that are no images. */
  documents: number;
  /** Largest image, in bytes before base64. */
  imageBytes: number;
  /** Largest other medium, in bytes before base64. */
  documentBytes: number;
  /** Characters of base64 in a request. */
  totalCharacters: number;
}

/**
 * The rules of one provider's wire, as plain data: what a request must look like to be accepted. The projector obeys
 * them, the validator checks them. To adapt one, spread it.
 *
 * @example
 * const profile: ModelProfile = { ...modelProfiles.openaiCompatible, userMedia: { inline: [], urls: [] } }
 */
export interface ModelProfile {
  /** For messages to people. */
  name: string;
  /** Ids of tool calls. Illegal or repeated ones are replaced by a stable hash. */
  callID: WireNameRule;
  /** Names of tools in calls and results. */
  toolName: WireNameRule;
  /** Media in user messages. */
  userMedia: MediaRule;
  /** Media inside tool results. What is not taken there moves to a user message after the results. */
  toolResultMedia: MediaRule;
  /** Media that the model made, inside its own messages. */
  assistantMedia: MediaRule;
  mediaLimits: MediaLimits;
  /** A user message with a document must have text, too. */
  documentsNeedText: boolean;
  /** Blank text: always refused, or taken when provider metadata is attached to it. */
  blankText: "refused" | "with-metadata";
  /** The texts of a message reach the model as one, without anything between them: blank lines are put there. */
  textsJoined: boolean;
  /** Two messages in a row may not have the same role: user messages merge, a note parts assistant messages. */
  alternation: boolean;
  /** The request may end with an assistant message, which the model then continues (prefill). */
  trailingAssistant: boolean;
  /** A user message may follow tool results directly. Otherwise a short assistant message stands between. */
  userAfterToolResult: boolean;
  /** A message ends with its calls: what the model said after a call moves before it. Otherwise everything keeps its place. */
  callsLast: boolean;
  /**
   * Reasoning of the same model: returned only with its metadata (`signed`), always (`any`), or never (`drop`). What is
   * not returned is treated as foreign.
   */
  ownReasoning: "signed" | "any" | "drop";
  /** Reasoning of another model, or without the signature that is needed: left out, or sent as ordinary text. */
  foreignReasoning: "drop" | "text";
  /**
   * Calls that the provider ran itself come back inside the assistant message: never (`none`), together with their result
   * (`with-result`), or also while the provider still owes the result (`deferred`). Otherwise, and when another model is
   * called, they are sent as ordinary calls and results.
   */
  providerTools: "none" | "with-result" | "deferred";
  /** A provider's call that wants leave comes back too, and the answer to it stands where results stand. */
  providerApprovals: boolean;
  /** There are tools that take plain text: a call of one has a string as its input. */
  textInput: boolean;
  /** Content of provider-specific kinds may come back in assistant messages. */
  customParts: boolean;
  /** A request whose history has calls must define tools, even when none may be called. */
  toolDefinitionsNeeded: boolean;
  /** Tools can be withheld by the tool choice `none`. Otherwise they are offered, and a call of one is refused. */
  toolChoiceNone: boolean;
  /** Provider options of a message after which the provider should cache. None where it caches by itself, or not at all. */
  cacheMark: ProviderMetadata | undefined;
}
