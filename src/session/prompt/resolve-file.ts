/** A `file:` part of a prompt. */
export interface PromptFile {
  /** `file:` URL. */
  url: string;
  /** IANA media type, as the caller gave it. */
  mime: string;
  filename?: string | undefined;
}

/** What a file is to the model: a text, or a medium as a `data:` or `http(s):` URL. */
export type ResolvedFile = { type: "text"; text: string } | { type: "file"; mime: string; url: string; filename?: string | undefined };

/**
 * Reads the `file:` parts of prompts, when a prompt is admitted: what it gives is stored with the prompt. What it throws is
 * what the turn rejects with.
 */
export type ResolveFile = (file: PromptFile, session: { sessionID: string; directory?: string | undefined }) => ResolvedFile | readonly ResolvedFile[] | Promise<ResolvedFile | readonly ResolvedFile[]>;
