import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { SummaryContent } from "../../compaction/fit-summary.ts";
import { summaryPrompt } from "../../compaction/summary-prompt.ts";
import type { UserMessage, WithParts } from "../../message/message.ts";
import type { TextPart } from "../../message/part.ts";
import { toModelRef } from "../../message/model-ref.ts";
import type { ToolCatalog } from "../calls/tool-catalog.ts";
import type { LiveSession } from "../live-session.ts";
import type { RunLedger } from "../run-ledger.ts";
import type { ProcessInput } from "../step/process-input.ts";
import type { FinishedStep } from "../step/step.ts";
import { StepRunner } from "../step/step-runner.ts";
import type { Transcript } from "../transcript.ts";
import { withRetries } from "../retry/with-retries.ts";
import type { NextStep } from "./next-step.ts";

/** What a summary call is to be made of. */
export interface SummaryRequest {
  /** What it shows of what it covers. */
  content: SummaryContent;
  /** The message that the summary is the answer to. */
  message: UserMessage;
  /** As for the step that needs the room: system text and tools stay, so that the provider finds the request in its cache. */
  input: NextStep["input"];
  /** Its usage is the turn's. */
  ledger: RunLedger;
}

/** Who summarises, and with what. */
export interface SummaryMeans {
  live: LiveSession;
  transcript: Transcript;
  catalog: ToolCatalog;
  /** The model that summarises, and whether it is the one of the step. */
  model: LanguageModelV4;
  isOwn: boolean;
  /** Asks for the summary in place of the built-in text. */
  prompt: string | undefined;
}

/** Makes the summary call. Nothing of it is stored or published: it becomes rows when it has ended well. Its usage counts. */
export function summarize({ content, message, input, ledger }: SummaryRequest, { live, transcript, catalog, model, isOwn, prompt }: SummaryMeans): Promise<FinishedStep> {
  const { timeouts, prices, clock, ids, logger } = live.context;
  const { entries, outputChars, leftOut } = content;
  const asked = question(message, leftOutLine(leftOut) + summaryPrompt(entries, prompt));
  const shortened = outputChars === undefined ? {} : { stripMedia: true, toolOutputMaxChars: outputChars };
  const projection = transcript.project([...entries, asked], toModelRef(model, "compaction.model"), isOwn ? input.profile : undefined, shortened);
  const steps = new StepRunner({ catalog, timeouts, prices, clock, ids, logger, onUsage: (used) => { live.count(used); ledger.budget?.settle(used); } });
  const request: ProcessInput = { ...input, user: message, model, messages: projection.request(), toolChoice: { type: "none" } };
  // Another model's own defaults: what was set for the session's may be refused by it.
  const call = isOwn ? request : { ...request, profile: undefined, settings: undefined, providerOptions: undefined };
  return withRetries({
    settings: live.context.retry,
    clock,
    signal: input.abortSignal ?? new AbortController().signal,
    attempt: () => steps.run(call),
    onWait: ({ step, error, delayMs }) => {
      const { id: messageID, attempt } = step.message;
      live.journal.emit(live.journal.event("step.retry", { messageID, attempt, delayMs, error }));
      live.setStatus({ type: "retry", attempt, delayMs, error });
    },
    onGoOn: () => {
      live.setStatus({ type: "compacting" });
    },
  });
}

function leftOutLine(leftOut: number): string {
  return leftOut === 0 ? "" : `[Context: ${leftOut} messages are missing above, because they do not fit.]\n\n`;
}

/** Asked like a prompt, and never stored: the summary is what stays. */
function question(info: UserMessage, text: string): WithParts<UserMessage> {
  const part: TextPart = { id: `${info.id}_prompt`, sessionID: info.sessionID, messageID: info.id, type: "text", text, synthetic: true };
  return { info, parts: [part] };
}
