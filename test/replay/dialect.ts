import type { Json } from "./json.ts";

/** What one answer of a model says. */
export interface Said {
  /** All of its visible text. */
  text: string;
  /** All of its reasoning. */
  reasoning: string;
  /** What a later request must give back, in order: each signature, id and encrypted content as the provider wrote it. */
  items: Json[];
  /** What must follow the items: the result of each call, in call order. */
  results: Json[];
  /** Names of the tools that it calls and that the host runs. */
  tools: string[];
}

/**
 * How a provider's wire is read. Both directions are brought into one form, so that what the stream delivered can be
 * compared with what a later request gives back.
 */
export interface Dialect {
  /** A short answer, for the model calls that a recording does not cover. */
  plainAnswer: readonly string[];
  said(payloads: readonly Json[]): Said;
  /** The messages of a request, or the items that stand for them. */
  messages(body: Json): Json[];
  /** What a request gives back, in order. `known`: all that was said before, for what is given back by its id alone. */
  returned(body: Json, known: readonly Said[]): Json[];
  isEmpty(message: Json): boolean;
  /** The wire refuses two messages of one role in a row. */
  alternates: boolean;
}
