import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { compactionOf, isSummary } from "../../compaction/compaction-message.ts";
import { isReadable } from "../../message/is-readable.ts";
import type { AssistantMessage, WithParts } from "../../message/message.ts";
import type { LiveSession } from "../live-session.ts";
import { agentName, type Step } from "../step/step.ts";
import type { Transcript } from "../transcript.ts";
import { requestChange, type RequestPrefix } from "./request-change.ts";

/** Hears of a request that is about to be made. */
export type OnRequest = (step: Pick<Step, "input" | "message">, tools: LanguageModelV4CallOptions["tools"]) => void;

/** Compares each request of a session with the one before, and reports when it does not begin as that did. */
export function prefixCheck(live: LiveSession, transcript: Transcript): OnRequest {
  return ({ input, message }, tools) => {
    const { system = [], messages } = input;
    const request: RequestPrefix = {
      agent: agentName(input),
      model: modelOf(message),
      tools,
      system: typeof system === "string" ? [system] : system,
      messages,
      maintenance: maintenanceOf(transcript),
    };
    const before = live.lastRequest ?? newestStep(transcript.entries);
    live.lastRequest = request;
    const change = before && requestChange(before, request);
    if (change !== undefined) live.journal.emit(live.journal.event("request.changed", { messageID: message.id, reason: change.reason, path: change.path }));
  };
}

function modelOf({ providerID, modelID }: AssistantMessage): RequestPrefix["model"] {
  return { providerID, modelID };
}

/** What the rows tell of the last request of a session that was opened. */
function newestStep(entries: readonly WithParts[]): Partial<RequestPrefix> | undefined {
  const newest = entries.findLast((entry): entry is WithParts<AssistantMessage> => entry.info.role === "assistant" && !isSummary(entry));
  return newest && { agent: newest.info.agent, model: modelOf(newest.info) };
}

/** Told by the rows alone: a transcript that was read again has undergone no maintenance by that. */
function maintenanceOf({ entries, revision }: Transcript): string {
  const [boundary] = entries;
  let cleared = 0;
  for (const { parts } of entries) for (const part of parts) if (isReadable(part) && part.type === "tool" && part.state.status === "completed" && part.state.time.compacted !== undefined) cleared += 1;
  return `${boundary !== undefined && compactionOf(boundary) !== undefined ? boundary.info.id : ""} ${cleared} ${revision}`;
}
