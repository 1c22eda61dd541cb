/** What a compaction came to. */
export interface CompactionResult {
  /** The message that marks it in the transcript; the summary is the answer to it. */
  messageID: string;
  /** Estimated tokens of the messages that the model was shown before, and is shown now. */
  tokens: { before: number; after: number };
}
