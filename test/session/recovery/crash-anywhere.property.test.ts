import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool, type AnyTool, type SessionEvent } from "throughline";
import { reply, type ModelRequest, type Reply } from "throughline/testing";
import { z } from "zod";
import { sharedStore, type Process, type SharedStore } from "./crash.ts";

/** How the user's side of a conversation goes. */
interface Scenario {
  /** Tools that each prompt's first answer calls, by name. */
  tools: ("write" | "read")[];
  text: string;
  prompts: { steer: boolean }[];
  abort: boolean;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  tools: fc.array(fc.constantFrom("write", "read"), { maxLength: 3 }),
  text: fc.constantFrom("", "Let me see."),
  prompts: fc.array(fc.record({ steer: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  abort: fc.boolean(),
});

/** Calls tools until it has results of them behind the newest prompt, then answers. */
function modelFor({ tools, text }: Scenario): (request: ModelRequest) => Reply {
  return ({ prompt, toolChoice }) => {
    const last = prompt.at(-1);
    if (tools.length === 0 || last?.role === "tool" || toolChoice?.type === "none") return [reply.reasoning("Hm."), reply.text("Done.")];
    return [reply.text(text === "" ? "Calling." : text), ...tools.map((tool, index) => reply.toolCall(tool, { n: index }))];
  };
}

/** A side effect for each execution, by call: nothing else tells a run that was repeated. */
function toolsOn(effects: Map<string, number>): Record<string, AnyTool> {
  const make = (idempotent: boolean): AnyTool =>
    defineTool({
      description: "Leaves a trace.",
      input: z.object({ n: z.number() }),
      idempotent,
      async execute({ n }, { partID, toolCallId }) {
        const key = `${idempotent ? "read" : "write"} ${partID} ${toolCallId}`;
        effects.set(key, (effects.get(key) ?? 0) + 1);
        await Promise.resolve();
        return `trace ${n}`;
      },
    });
  return { write: make(false), read: make(true) };
}

async function converse({ session }: Process, { clock }: SharedStore, { prompts, abort }: Scenario): Promise<string[]> {
  const accepted: string[] = [];
  const turns = prompts.map(({ steer }, index) => session.prompt(`Prompt ${index}`, { id: `p${index}`, delivery: steer ? "steer" : "queue" }));
  for (const turn of turns) void turn.accepted.then(({ messageID }) => accepted.push(messageID), () => undefined);
  if (abort) void session.abort();
  await clock.advance(50);
  await Promise.race([Promise.all(turns.map(({ settled }) => settled)), clock.advance(1000)]);
  return accepted;
}

interface Counted {
  commits: number;
}

/** How many commits the scenario takes when nothing goes wrong. */
async function countCommits(given: Scenario): Promise<Counted> {
  const store = sharedStore();
  const first = await store.start(modelFor(given), { tools: toolsOn(new Map()) });
  await converse(first, store, given);
  return { commits: (await store.storage.getSession("thread"))?.seq ?? 0 };
}

async function crashAt(given: Scenario, at: { after?: number; before?: number }, inBetween: (second: Process) => Promise<unknown>): Promise<void> {
  const store = sharedStore(at);
  const effects = new Map<string, number>();
  const tools = toolsOn(effects);
  const opening = store.start(modelFor(given), { tools });
  void opening.catch(() => undefined);
  const first = await Promise.race([opening, store.clock.advance(10).then(() => undefined)]);
  const accepted = first === undefined ? [] : await converse(first, store, given);
  await store.crash();

  const second = await store.start(modelFor(given), { tools });
  await inBetween(second);
  expect((await second.session.prompt("Again", { id: "again" })).text).toBe("Done.");

  const messages = await second.session.messages();
  expect(second.model.violations).toEqual([]);
  expect(first?.model.violations ?? []).toEqual([]);
  for (const [key, count] of effects) if (key.startsWith("write")) expect(count, key).toBe(1);
  const outcomes = new Map(messages.flatMap(({ info }) => (info.role === "user" ? [[info.id, info.outcome?.type] as const] : [])));
  for (const id of [...accepted, "again"]) expect(outcomes.get(id), id).toBeDefined();
  for (const [id, outcome] of outcomes) expect(outcome, id).toBeDefined();
  expectOneOutcomeEach([...(first?.events ?? []), ...second.events]);
  for (const { info, parts } of messages) {
    if (info.role === "assistant") expect(info.time.completed).toBeDefined();
    for (const part of parts) if (part.type === "tool") expect(["completed", "error"]).toContain(part.state.status);
  }
  expect(messages.map(({ info }) => info.position)).toEqual(messages.map((_message, index) => index + 1));
  const session = await store.storage.getSession("thread");
  expect(session?.tokens.output).toBe(messages.reduce((sum, { info }) => sum + (info.role === "assistant" ? info.tokens.output : 0), 0));
  expect(second.session.status).toEqual({ type: "idle" });
  expect(await second.session.queue()).toEqual([]);
}

function expectOneOutcomeEach(events: readonly SessionEvent[]): void {
  const finished = events.flatMap((event) => (event.type === "turn.finished" ? [event.messageID] : []));
  expect(finished).toEqual([...new Set(finished)]);
}

const ways: [string, (second: Process) => Promise<unknown>][] = [
  ["resumed", ({ session }) => session.resume().settled],
  ["prompted again", () => Promise.resolve()],
];

describe.each(ways)("a session whose process ends at any commit, and that is %s,", (_way, inBetween) => {
  it("sends legal requests only, runs nothing twice, and gives each accepted prompt one outcome", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), async (given, where, before) => {
        const { commits } = await countCommits(given);
        const n = 1 + Math.floor(where * commits);
        await crashAt(given, before ? { before: n } : { after: n }, inBetween);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it("at each commit of one conversation", async () => {
    const given: Scenario = { tools: ["write", "read", "write"], text: "Let me see.", prompts: [{ steer: false }, { steer: true }, { steer: false }], abort: false };
    const { commits } = await countCommits(given);
    expect(commits).toBeGreaterThan(10);
    for (let n = 1; n <= commits; n += 1) {
      await crashAt(given, { before: n }, inBetween);
      await crashAt(given, { after: n }, inBetween);
    }
  }, 60_000);
});
