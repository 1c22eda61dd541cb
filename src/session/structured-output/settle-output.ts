import type { AssistantMessage, WithParts } from "../../message/message.ts";
import { toJSONSafe } from "../../util/json-safe.ts";
import { outputMissedNote } from "../engine-notes.ts";
import type { LiveSession } from "../live-session.ts";
import type { Transcript } from "../transcript.ts";
import { addNote } from "../turn/add-note.ts";
import type { OutputDemand } from "./output-demand.ts";

/** What is known of the turn. */
interface OutputSurroundings {
  live: LiveSession;
  transcript: Transcript;
  /** No step is left for another attempt. */
  isSpent: boolean;
}

/**
 * Looks what the newest message of a turn has done for the answer that is wanted: stores the answer, or tells the model what
 * is missing, or gives up. Done again over the same messages, it does nothing more.
 *
 * @returns the newest message as it is now
 */
export async function settleOutput(demand: OutputDemand, messages: readonly WithParts<AssistantMessage>[], { live, transcript, isSpent }: OutputSurroundings): Promise<WithParts<AssistantMessage> | undefined> {
  const newest = messages.at(-1);
  if (newest === undefined || newest.info.id !== transcript.newest?.info.id) return newest;
  const judgement = await demand.judge(newest);
  if (judgement === undefined) return newest;
  if (judgement.type === "given") return capture(judgement.value, demand, newest, { live, transcript });
  const misses = demand.misses(messages);
  const isOver = misses > demand.format.retryCount;
  if (isOver || (isSpent && !judgement.byCall)) demand.giveUp(judgement.problem, misses);
  else if (!judgement.byCall && newest.info.finish !== "length" && !wasTold(newest)) {
    const noted = addNote(live, transcript, outputMissedNote(demand.name, judgement.problem));
    if (noted !== undefined) return { info: newest.info, parts: [...noted.parts] };
  }
  return newest;
}

function capture(value: unknown, demand: OutputDemand, { info, parts }: WithParts<AssistantMessage>, { live, transcript }: Omit<OutputSurroundings, "isSpent">): WithParts<AssistantMessage> {
  const { journal } = live;
  demand.value = value;
  if (info.structured !== undefined) return { info, parts };
  const message: AssistantMessage = { ...info, structured: toJSONSafe(value) };
  transcript.replaceNewest({ info: message, parts: [...parts] });
  journal.write([{ type: "message.put", message }], [journal.event("message.updated", { message })], "soon");
  return { info: message, parts };
}

function wasTold({ parts }: WithParts): boolean {
  const last = parts.at(-1);
  return last?.type === "text" && last.synthetic === true;
}
