import { expect } from "vitest";
import { createAgent, defineTool, memoryStorage } from "throughline";
import type { Agent, AgentOptions, Session, SessionEvent, SessionEventMap, SessionEventType, Storage, Tool, Turn } from "throughline";
import { manualClock, scriptedModel, strictModel } from "throughline/testing";
import type { ManualClock, ModelRequest, Script, ScriptedModel, ScriptedModelOptions, StrictModel } from "throughline/testing";
import { z } from "zod";

/** A session over a strict scripted model, a clock that stands still, and everything that was heard of it. */
export interface SessionUnderTest {
  agent: Agent;
  session: Session;
  model: ScriptedModel & StrictModel;
  clock: ManualClock;
  storage: Storage;
  events: SessionEvent[];
  /** What it logged as a warning or an error. */
  problems: string[];
}

export interface SessionTestOptions extends Partial<Omit<AgentOptions, "model">> {
  scripted?: ScriptedModelOptions;
}

export async function start(script: Script, { scripted, ...options }: SessionTestOptions = {}): Promise<SessionUnderTest> {
  const clock = manualClock(1_700_000_000_000);
  const model = strictModel(scriptedModel(script, scripted));
  const storage = options.storage ?? memoryStorage({ clock });
  const problems: string[] = [];
  const agent = createAgent({
    model,
    clock,
    storage,
    // Where it is not about retries, a failure ends the turn at once.
    retry: { maxAttempts: 1 },
    logger: ({ level, message }) => {
      if (level === "warn" || level === "error") problems.push(message);
    },
    ...options,
  });
  const session = await agent.session();
  const events: SessionEvent[] = [];
  session.on("*", (event) => events.push(event));
  return { agent, session, model, clock, storage, events, problems };
}

/** Checks what must hold at the end of every test: the script was followed, no request was illegal, no timer is left. */
export function expectDone({ model, clock, session }: SessionUnderTest): void {
  expect(model.violations).toEqual([]);
  model.assertDone();
  expect(session.status).toEqual({ type: "idle" });
  expect(clock.pending()).toBe(0);
}

/** The next event of that kind. */
export function nextEvent<K extends SessionEventType>(session: Session, type: K, matches: (event: SessionEventMap[K]) => boolean = () => true): Promise<SessionEventMap[K]> {
  return new Promise((resolve) => {
    const stop = session.on(type, ((event: SessionEventMap[K]) => {
      if (!matches(event)) return;
      stop();
      resolve(event);
    }) as Parameters<typeof session.on<K>>[1]); // A conditional type over K, which the compiler does not resolve here.
  });
}

/** Every event that the turn's iterator gives. */
export async function eventsOf(turn: Turn): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

/** Events without the rows' own announcements: the story of a turn in a few words. */
export function story(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "message.updated" || event.type === "part.updated" ? [] : [event.type]));
}

export function eventsOfType<K extends SessionEventType>(events: readonly SessionEvent[], type: K): SessionEventMap[K][] {
  // The filter leaves only events of that type.
  return events.filter((event) => event.type === type) as SessionEventMap[K][];
}

/** The tool results of a request, by call, in their order: `[callID, output type, output value]`. */
export function resultsIn(request: ModelRequest | undefined): [string, string, unknown][] {
  return (request?.prompt ?? []).flatMap((message) =>
    message.role !== "tool"
      ? []
      : message.content.flatMap((part): [string, string, unknown][] =>
          part.type === "tool-result" ? [[part.toolCallId, part.output.type, "value" in part.output ? part.output.value : undefined]] : [],
        ),
  );
}

/** The texts of a request's messages, with their role. */
export function textsIn(request: ModelRequest | undefined): string[] {
  return (request?.prompt ?? []).flatMap((message) =>
    message.role === "system" ? [`system: ${message.content}`] : message.content.flatMap((part) => (part.type === "text" ? [`${message.role}: ${part.text}`] : [])),
  );
}

export function rolesIn(request: ModelRequest | undefined): string[] {
  return (request?.prompt ?? []).map(({ role }) => role);
}

/** A tool that says its text back, and counts how often it ran. */
export function echoTool(): { echo: Tool<{ text: string }, string>; runs: string[] } {
  const runs: string[] = [];
  const echo = defineTool({
    description: "Says the text back.",
    input: z.object({ text: z.string() }),
    execute({ text }) {
      runs.push(text);
      return `echo: ${text}`;
    },
  });
  return { echo, runs };
}

/** A tool that ends when the test says so; it takes no notice of its signal. */
export function gatedTool(): {
  gate: Tool<{ name: string }, string>;
  started: string[];
  signals: AbortSignal[];
  open(name: string, result?: string): void;
  whenStarted(name: string): Promise<void>;
} {
  const started: string[] = [];
  const signals: AbortSignal[] = [];
  const gates = new Map<string, Opening<string>>();
  const starts = new Map<string, Opening<void>>();
  const gateOf = (name: string): Opening<string> => entryOf(gates, name);
  return {
    gate: defineTool({
      description: "Waits.",
      input: z.object({ name: z.string() }),
      execute({ name }, { abortSignal }) {
        started.push(name);
        signals.push(abortSignal);
        entryOf(starts, name).resolve();
        return gateOf(name).promise;
      },
    }),
    started,
    signals,
    open: (name, result = `opened ${name}`) => gateOf(name).resolve(result),
    whenStarted: (name) => entryOf(starts, name).promise,
  };
}

interface Opening<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
}

function entryOf<T>(map: Map<string, Opening<T>>, name: string): Opening<T> {
  const known = map.get(name);
  if (known !== undefined) return known;
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  const entry = { promise, resolve };
  map.set(name, entry);
  return entry;
}

/** A controller whose signal tells how many listeners it has. */
export function countedController(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count -= 1;
    remove(...args);
  };
  return { controller, listeners: () => count };
}
