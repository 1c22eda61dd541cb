import { defineTool } from "throughline";
import type { Clock, PermissionFunction, Session, Tool } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import type { CrashScenario, ModelRequest, Reply } from "throughline/testing";
import { z } from "zod";

type Scenario = Omit<CrashScenario, "storage">;

/** Works for a while, then says so; `null` fails. */
function workTool(clock: Clock, idempotent = false): Tool<{ name: string; ms: number; fails?: boolean | undefined }, string> {
  return defineTool({
    description: "Works.",
    input: z.object({ name: z.string(), ms: z.number(), fails: z.boolean().optional() }),
    idempotent,
    async execute({ name, ms, fails }) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
      if (fails === true) throw new Error(`${name} is broken`);
      return `${name} is done`;
    },
  });
}

/** Which of the host's prompts a request is to answer: the newest one that it shows. */
function newestPrompt({ prompt }: ModelRequest): string {
  const texts = prompt.flatMap((message) => (message.role === "user" ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : []));
  return texts.findLast((text) => /^Prompt \d/.test(text)) ?? "";
}

/** Whether the model has seen results since that prompt. */
function hasResults({ prompt }: ModelRequest, text: string): boolean {
  const asked = prompt.findLastIndex((message) => message.role === "user" && message.content.some((part) => part.type === "text" && part.text === text));
  return prompt.slice(asked).some(({ role }) => role === "tool");
}

/** Calls tools once for each prompt, then answers. */
function worker(calls: (prompt: string) => readonly Reply[], clock: Clock, delayMs = 0) {
  return scriptedModel((request) => {
    const text = newestPrompt(request);
    const pieces = hasResults(request, text) ? [] : calls(text);
    return pieces.length === 0 ? reply.text(`Answer to "${text}", which is long enough to come in pieces.`) : pieces.flat();
  }, { clock, delayMs, chunkSize: 10 });
}

const work = (name: string, ms: number, fails?: boolean): Reply => reply.toolCall("work", { name, ms, fails });

/** The outcome of each prompt, and the model's last word. */
async function outcomes(session: Session): Promise<unknown> {
  const messages = await session.messages();
  const prompts = messages.flatMap(({ info }) => (info.role === "user" ? [[info.id, info.outcome?.type]] : []));
  const last = messages.findLast(({ info }) => info.role === "assistant");
  return [prompts, last?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))];
}

/** Asks about every call but those of "c". */
const careful: PermissionFunction = ({ input }) => (input["name"] === "c" ? "allow" : "ask");

/** What a host does that is told of asks whenever it looks: answers them, and lets the turn go on. */
async function answerAll(session: Session): Promise<void> {
  for (;;) {
    for (const { id } of await session.asks()) await session.reply(id, { decision: "once" });
    const { outcome, error } = { error: undefined, ...(await session.resume().settled) };
    if (outcome !== "waiting" && error === undefined) return;
    // Nothing to resume any more.
    if (error?.code !== undefined) return;
  }
}

export const crashScenarios: readonly Scenario[] = [
  {
    name: "a text that comes slowly",
    agent: ({ clock }) => ({ model: worker(() => [], clock, 90) }),
    run: (session) => session.prompt("Prompt 1", { id: "msg_1" }),
    result: outcomes,
  },
  {
    name: "tools in parallel",
    agent: ({ clock }) => ({ model: worker(() => [work("a", 300), work("b", 0), work("c", 700)], clock), tools: { work: workTool(clock) } }),
    run: (session) => session.prompt("Prompt 1", { id: "msg_1" }),
    result: outcomes,
  },
  {
    name: "a tool that fails",
    agent: ({ clock }) => ({ model: worker(() => [work("a", 100, true), work("b", 300)], clock), tools: { work: workTool(clock) } }),
    run: (session) => session.prompt("Prompt 1", { id: "msg_1" }),
    result: outcomes,
  },
  {
    name: "prompts that queue, and one that steers, all of them repeated by their sender",
    agent: ({ clock }) => ({ model: worker((text) => (text === "Prompt 3" ? [] : [work(text, 400)]), clock), tools: { work: workTool(clock) } }),
    run: async (session) => {
      const started = new Promise<void>((resolve) => session.once("tool.started", () => { resolve(); }));
      const first = session.prompt("Prompt 1", { id: "msg_1" });
      await started;
      const others = [session.prompt("Prompt 2", { id: "msg_2" }), session.prompt("Prompt 3", { id: "msg_3", delivery: "steer" }), session.prompt("Prompt 4", { id: "msg_4" })];
      await Promise.all([first, ...others]);
    },
    // Nobody knows what was accepted: whoever sent the prompts sends them again, under their ids.
    recover: async (session) => {
      for (const number of [1, 2, 3, 4]) await session.prompt(`Prompt ${number}`, { id: `msg_${number}`, delivery: number === 3 ? "steer" : undefined });
    },
    check: async (session) => {
      const prompts = (await session.messages()).flatMap(({ info }) => (info.role === "user" ? [[info.id, info.outcome?.type]] : []));
      const expected = JSON.stringify([1, 2, 3, 4].map((number) => [`msg_${number}`, "answered"]));
      if (JSON.stringify(prompts.sort()) !== expected) throw new Error(`not every prompt was answered: ${JSON.stringify(prompts)}`);
    },
  },
  {
    name: "an abort while a tool runs, with a prompt that waits",
    agent: ({ clock }) => ({ model: worker((text) => (text === "Prompt 1" ? [work("a", 5_000), work("b", 100)] : []), clock), tools: { work: workTool(clock) } }),
    run: async (session, { clock }) => {
      const started = new Promise<void>((resolve) => session.once("tool.started", () => { resolve(); }));
      const first = session.prompt("Prompt 1", { id: "msg_1" });
      await started;
      const second = session.prompt("Prompt 2", { id: "msg_2" });
      await second.accepted;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 200));
      await session.abort();
      await Promise.all([first.settled, second]);
    },
    check: async (session) => {
      for (const { info } of await session.messages()) {
        const possible = info.role === "user" ? { msg_1: ["aborted", "answered"], msg_2: ["answered"] }[info.id] : undefined;
        const outcome = info.role === "user" ? info.outcome?.type : undefined;
        if (possible?.includes(outcome ?? "none") === false) throw new Error(`${info.id} ended as ${outcome}`);
      }
    },
  },
  {
    name: "an idempotent tool beside one that is not",
    agent: ({ clock }) => ({
      model: worker(() => [work("a", 200), reply.toolCall("again", { name: "b", ms: 500 })], clock),
      tools: { work: workTool(clock), again: workTool(clock, true) },
    }),
    run: (session) => session.prompt("Prompt 1", { id: "msg_1" }),
    result: async (session) => {
      const parts = (await session.messages()).flatMap((message) => message.parts);
      const done = parts.flatMap((part) => (part.type === "tool" && part.tool === "again" ? [part.state.status === "completed" ? part.state.output : part.state.status] : []));
      return [done, await outcomes(session)];
    },
  },
  {
    name: "asks that are answered while nobody runs the session",
    agent: ({ clock }) => ({
      model: worker(() => [work("a", 200), work("c", 300), work("b", 100)], clock),
      tools: { work: workTool(clock) },
      permissions: careful,
      asks: { mode: "release" },
    }),
    run: async (session) => {
      await session.prompt("Prompt 1", { id: "msg_1" });
      await answerAll(session);
    },
    recover: answerAll,
    result: outcomes,
  },
  {
    name: "asks that are waited for, and that nobody answers after a crash",
    agent: ({ clock }) => ({
      model: worker(() => [work("a", 200), work("b", 100)], clock),
      tools: { work: workTool(clock) },
      permissions: careful,
      asks: { timeoutMs: 60_000, onReject: "continue" },
    }),
    run: (session) => {
      session.on("ask.created", ({ ask }) => { void session.reply(ask.id, { decision: "always" }); });
      return session.prompt("Prompt 1", { id: "msg_1" });
    },
    result: outcomes,
    check: async (session) => {
      if ((await session.asks()).length > 0) throw new Error("asks are left open");
    },
  },
  {
    name: "a history that is compacted, between turns and in the midst of one",
    agent: ({ clock, process }) => ({
      model: compacting(clock, process),
      tools: { work: longWork },
      contextLimits: { context: 3_000, output: 300 },
    }),
    async run(session) {
      for (const prompt of [1, 2, 3]) await session.prompt(`Prompt ${prompt} ${"x".repeat(2_000)}`, { id: `msg_${prompt}` });
    },
    result: outcomes,
  },
];

const longWork = defineTool({ description: "Works.", input: z.object({ name: z.string() }), execute: ({ name }) => `${name} ${"y".repeat(3_000)}` });

/** Calls a tool four times for the second prompt, and sums up when it is asked to. */
function compacting(clock: Clock, process: number) {
  return scriptedModel((request) => {
    const last = request.prompt.findLast(({ role }) => role === "user");
    const asked = last?.role === "user" ? last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") : "";
    const done = JSON.stringify(request.prompt).match(/call [1-4] y/g)?.at(-1)?.at(5) ?? "0";
    // What was done is what a summary is for.
    if (asked.includes("for an assistant that will continue the work")) return reply.text(`A summary of it all: call ${done} y was the last.`);
    const text = newestPrompt(request);
    return text.startsWith("Prompt 2") && Number(done) < 4 ? reply.toolCall("work", { name: `call ${Number(done) + 1}` }, { id: `call_${process}_${Number(done) + 1}` }) : reply.text(`Answer to "${text.slice(0, 8)}".`);
  }, { clock });
}
