import type { AssistantMessage, WithParts } from "../../message/message.ts";
import { toJSONSafe } from "../../util/json-safe.ts";
import { settleInTime } from "../../util/settle-in-time.ts";
import { outputMissedNote } from "../engine-notes.ts";
import type { LiveSession } from "../live-session.ts";
import type { Transcript } from "../transcript.ts";
import { addNote } from "../turn/add-note.ts";
import type { OutputDemand, OutputJudgement } from "./output-demand.ts";

/** What is known of the turn. */
interface OutputSurroundings {
  live: LiveSession;
  transcript: Transcript;
  /** No step is left for another attempt. */
  isSpent: boolean;
  /** The turn's. */
  signal: AbortSignal;
}

/**
 * Looks what the newest message of a turn has done for the answer that is wanted: stores the answer, or tells the model what
 * is missing, or gives up. Done again over the same messages, it does nothing more.
 *
 * @returns the newest message as it is now
 * @throws the signal's reason, when the turn is aborted meanwhile
 */
export async function settleOutput(demand: OutputDemand, messages: readonly WithParts<AssistantMessage>[], surroundings: OutputSurroundings): Promise<WithParts<AssistantMessage> | undefined> {
  const newest = messages.at(-1);
  if (newest === undefined || surroundings.transcript.newest?.info.id !== newest.info.id) return newest;
  const judgement = await judge(demand, newest, surroundings);
  if (judgement?.type === "given") return capture(judgement.value, demand, newest, surroundings);
  if (judgement === undefined) return newest;
  const misses = demand.misses(messages);
  if (misses > demand.format.retryCount || (surroundings.isSpent && !judgement.byCall)) {
    demand.giveUp(judgement.problem, misses);
    return newest;
  }
  // A call has its error result.
  return judgement.byCall || !canBeTold(newest) ? newest : tell(judgement.problem, demand, newest, surroundings);
}

/** A schema may run code of the host's, which may never answer: there is no use in asking the model again then. */
function judge(demand: OutputDemand, newest: WithParts<AssistantMessage>, { live, signal }: OutputSurroundings): Promise<OutputJudgement | undefined> {
  const { clock, timeouts } = live.context;
  return settleInTime(demand.judge(newest), { signal, clock, ms: timeouts.hookMs }, () => {
    demand.giveUp(`It could not be checked within ${timeouts.hookMs} ms (timeouts.hookMs).`, 1);
    return undefined;
  });
}

function tell(problem: string, demand: OutputDemand, newest: WithParts<AssistantMessage>, { live, transcript }: OutputSurroundings): WithParts<AssistantMessage> {
  const noted = addNote(live, transcript, outputMissedNote(demand.name, problem, demand.format.schema));
  // The result is its caller's, who may change the list.
  return { info: newest.info, parts: [...(noted?.parts ?? newest.parts)] };
}

/** Once; what the output limit has cut is reported as that. */
function canBeTold({ info, parts }: WithParts<AssistantMessage>): boolean {
  const last = parts.at(-1);
  return info.finish !== "length" && !(last?.type === "text" && last.synthetic === true);
}

function capture(value: unknown, demand: OutputDemand, { info, parts }: WithParts<AssistantMessage>, { live, transcript }: OutputSurroundings): WithParts<AssistantMessage> {
  const { journal } = live;
  demand.value = value;
  if (info.structured !== undefined) return { info, parts };
  const message: AssistantMessage = { ...info, structured: toJSONSafe(value) };
  transcript.replaceNewest({ info: message, parts: [...parts] });
  journal.write([{ type: "message.put", message }], [journal.event("message.updated", { message })], "soon");
  return { info: message, parts };
}
