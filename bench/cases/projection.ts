import type { AssistantMessage, Part, ToolPart, UserMessage, WithParts } from "throughline";
import { reading, type BenchCase, type Program, type Size } from "../bench-case.ts";
import { cpuMsOf, cpuTimeMs } from "../cpu-time.ts";
import { expectEqual } from "../expect-equal.ts";

const messageCount = 1000;
/** Of three messages each. The last one is a prompt. */
const turns = Math.ceil(messageCount / 3);
/** A call and its result are two. */
const modelMessageCount = messageCount + turns - 1;
const rounds: Record<Size, number> = { full: 400, quick: 40 };
/** One step takes microseconds. */
const stepsPerRound = 20;

const model = { providerID: "anthropic.messages", modelID: "claude" };
const result = "A line of a file, some eighty characters long, as a tool would read it from a disk.\n".repeat(12);
const sentence = "What was found, and what is to be done about it, in a few lines of text. ".repeat(4);
const metadata = { anthropic: { signature: "c2lnbmF0dXJl".repeat(20) } };
const tokens = { input: 100, output: 20, reasoning: 0, cache: { read: 0, write: 0 } };

function stored(): WithParts[] {
  return Array.from({ length: turns }, (_, turn) => [prompt(turn), step(turn, "call"), step(turn, "answer")]).flat().slice(0, messageCount);
}

function prompt(turn: number): WithParts<UserMessage> {
  const base = { sessionID: "ses", messageID: `msg_${turn}_u` };
  const info: UserMessage = { id: base.messageID, sessionID: "ses", role: "user", agent: "main", model, position: turn * 3 + 1, time: { created: 0 } };
  return { info, parts: [{ ...base, id: `prt_${turn}_u`, type: "text", text: `Question ${turn}. ${sentence}` }] };
}

function step(turn: number, kind: "call" | "answer"): WithParts<AssistantMessage> {
  const base = { sessionID: "ses", messageID: `msg_${turn}_${kind}` };
  const info: AssistantMessage = {
    id: base.messageID, sessionID: "ses", role: "assistant", parentID: `msg_${turn}_u`, agent: "main", ...model, step: kind === "call" ? 1 : 2, attempt: 1, position: turn * 3 + 2,
    finish: kind === "call" ? "tool-calls" : "stop", tokens, cost: 0, time: { created: 0, completed: 1 },
  };
  const tool: ToolPart = {
    ...base, id: `prt_${turn}_t`, type: "tool", callID: `toolu_${turn}`, tool: "read",
    state: { status: "completed", input: { path: `src/file-${turn}.ts` }, output: result, title: "", metadata: {}, time: { start: 0, end: 1 } },
  };
  const parts: Part[] = [
    { ...base, id: `prt_${turn}_s`, type: "step-start" },
    { ...base, id: `prt_${turn}_r`, type: "reasoning", text: sentence, time: { start: 0, end: 1 }, metadata },
    { ...base, id: `prt_${turn}_x`, type: "text", text: `Answer ${turn}. ${sentence}` },
  ];
  return { info, parts: kind === "call" ? [...parts, tool] : parts };
}

/** CPU milliseconds of one run of the work, once it is compiled. */
async function cpuMsPer(count: number, work: () => unknown): Promise<number> {
  for (let index = 0; index < count; index += 1) await work();
  const total = await cpuMsOf(async () => {
    for (let index = 0; index < count; index += 1) await work();
  });
  return total / count;
}

/** As a store gives them: rows that were parsed, not objects that were put together here. */
function parsed<T>(messages: T): T {
  // JSON in, the same out.
  return JSON.parse(JSON.stringify(messages)) as T;
}

const sdk: Program = async (size) => {
  const { convertToModelMessages } = await import("ai");
  // The same content, message by message, in the SDK's own form.
  const messages = parsed(Array.from({ length: turns }, (_, turn) => {
    const said = [
      { type: "step-start" as const },
      { type: "reasoning" as const, text: sentence, providerMetadata: metadata },
      { type: "text" as const, text: `Answer ${turn}. ${sentence}` },
    ];
    const call = { type: "tool-read" as const, toolCallId: `toolu_${turn}`, state: "output-available" as const, input: { path: `src/file-${turn}.ts` }, output: result };
    return [
      { role: "user" as const, parts: [{ type: "text" as const, text: `Question ${turn}. ${sentence}` }] },
      { role: "assistant" as const, parts: [...said, call] },
      { role: "assistant" as const, parts: said },
    ];
  }).flat().slice(0, messageCount));
  expectEqual("messages", (await convertToModelMessages(messages)).length, modelMessageCount);
  return { full: await cpuMsPer(rounds[size], () => convertToModelMessages(messages)) };
};

const throughline: Program = async (size) => {
  const { toModelMessages } = await import("throughline");
  // The session's own way, which is no export: the same source, bundled with the bench.
  const { createProjection } = await import("../../src/message/projection.ts");
  const history = parsed(stored());
  expectEqual("messages", toModelMessages(history, model).length, modelMessageCount);
  const full = await cpuMsPer(rounds[size], () => toModelMessages(history, model));
  const more = parsed(Array.from({ length: stepsPerRound }, (_, index) => step(turns + index, "call")));
  let stepMs = 0;
  for (let round = -rounds[size]; round < rounds[size]; round += 1) {
    const projection = createProjection(model);
    for (const message of history) projection.add(message);
    const before = cpuTimeMs();
    for (const message of more) {
      projection.add(message);
      expectEqual("the step", projection.request().at(-1)?.role, "tool");
    }
    // The rounds below zero warm up.
    if (round >= 0) stepMs += cpuTimeMs() - before;
  }
  return { full, step: stepMs / (stepsPerRound * rounds[size]) };
};

/** What a model is shown of a long history: all of it, as when a session is opened, and one step more, as in its loop. */
export const projection: BenchCase = {
  programs: { convertToModelMessages: sdk, throughline },
  comparisons: [
    { figure: "projecting 1,000 messages", unit: "ms", ours: reading("throughline", "full"), peer: "convertToModelMessages", theirs: reading("convertToModelMessages", "full"), atMost: 3 },
    { figure: "projecting one step more", unit: "ms", ours: reading("throughline", "step"), peer: "all of it", theirs: reading("throughline", "full"), atMost: 0.05 },
  ],
};
