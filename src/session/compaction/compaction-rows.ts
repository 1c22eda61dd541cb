import type { JSONObject } from "../../message/json.ts";
import type { AssistantMessage, UserMessage, WithParts } from "../../message/message.ts";
import type { CompactionPart } from "../../message/part.ts";
import type { ModelRef } from "../../message/model-ref.ts";
import type { TailChoice } from "../../compaction/select-tail.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { FinishedStep } from "../step/step.ts";
import type { LiveSession } from "../live-session.ts";
import type { Writing } from "../turn/turn-outcome.ts";

/** The two messages that a compaction adds to the transcript. */
export interface CompactionPair {
  message: WithParts<UserMessage>;
  summary: WithParts<AssistantMessage>;
}

/** What is known of a compaction before its summary is there. */
export interface CompactionPlan {
  choice: TailChoice;
  model: ModelRef;
  /** Place of its first message. */
  position: number;
  auto: boolean;
  overflow: boolean;
  /** What tools keep, by tool. */
  toolStates: JSONObject | undefined;
}

/** The message that marks the compaction. It is no prompt of anybody's: nothing is owed for it. */
export function compactionMessage({ info, context }: LiveSession, { choice, model, position, auto, overflow, toolStates }: CompactionPlan): WithParts<UserMessage> {
  const { clock, ids, name } = context;
  const now = clock.now();
  const message: UserMessage = { id: ids("msg"), sessionID: info.id, role: "user", agent: name, model, position, outcome: { type: "answered", time: now }, time: { created: now } };
  const part: CompactionPart = { id: ids("prt"), sessionID: info.id, messageID: message.id, type: "compaction", auto };
  if (overflow) part.overflow = true;
  if (choice.tailStartID !== undefined) part.tail_start_id = choice.tailStartID;
  if (choice.kept.length > 0) part.kept = [...choice.kept];
  if (toolStates !== undefined) part.toolStates = toolStates;
  return { info: message, parts: [part] };
}

/** The reply of a summary call as a summary. Its step says how far the turn had come: its own messages may be hidden now. */
export function summaryMessage({ message, parts }: FinishedStep, step: number): WithParts<AssistantMessage> {
  return { info: Object.assign({}, message, { summary: true, step }), parts: [...parts] };
}

/** How to write the pair: in one commit, so that there is never a compaction without its summary. */
export function writeCompaction({ message, summary }: CompactionPair, { journal }: LiveSession): Writing {
  const entries = [message, summary];
  deepFreeze(entries);
  return {
    operations: entries.flatMap(({ info, parts }) => [{ type: "message.put" as const, message: info }, ...parts.map((part) => ({ type: "part.put" as const, part }))]),
    events: [
      ...entries.flatMap(({ info, parts }) => [journal.event("message.updated", { message: info }), ...parts.map((part) => journal.event("part.updated", { part }))]),
      journal.event("session.compacted", { messageID: message.info.id }),
    ],
  };
}
