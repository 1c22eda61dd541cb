import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { RunLedger } from "../run-ledger.ts";
import type { ProcessInput } from "../step/process-input.ts";

/** A step that is about to be made: its input without the messages, and its model, resolved. */
export interface NextStep {
  input: Omit<ProcessInput, "user" | "messages"> & { model: LanguageModelV4; system: readonly string[] };
  ledger: RunLedger;
}
