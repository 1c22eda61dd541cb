import { expect } from "vitest";
import { defineTool } from "throughline";
import type { Ask, PermissionRule, Session, SessionEvent, Tool, ToolContext } from "throughline";
import { z } from "zod";
import { nextEvent } from "../session-under-test.ts";

/** Everything is asked about. */
export const askAll: readonly PermissionRule[] = [{ permission: "*", action: "ask" }];

/** Runs commands, and counts how often each did. */
export function bashTool(options: Partial<Pick<Tool<{ command: string }>, "idempotent" | "timeoutMs" | "defaultAction">> = {}): { bash: Tool<{ command: string }, string>; runs: string[] } {
  const runs: string[] = [];
  const bash = defineTool({
    description: "Runs a command.",
    input: z.object({ command: z.string() }),
    permission: ({ command }) => ({ patterns: [command] }),
    ...options,
    execute({ command }) {
      runs.push(command);
      return `ran ${command}`;
    },
  });
  return { bash, runs };
}

/** A tool whose work is what the test says. */
export function workTool(work: (context: ToolContext) => Promise<string>, options: { timeoutMs?: number; idempotent?: boolean } = {}): Tool<{ name?: string | undefined }, string> {
  return defineTool({ description: "Works.", input: z.object({ name: z.string().optional() }), ...options, execute: (_input, context) => work(context) });
}

/** The next ask of the session, or the next few. */
export async function nextAsk(session: Session): Promise<Ask> {
  return (await nextEvent(session, "ask.created")).ask;
}

export async function nextAsks(session: Session, count: number): Promise<Ask[]> {
  const asks: Ask[] = [];
  await nextEvent(session, "ask.created", ({ ask }) => asks.push(ask) === count);
  return asks;
}

/** The only open ask. */
export async function openAsk(session: Session): Promise<Ask> {
  const [ask, ...others] = await session.asks();
  expect(others).toEqual([]);
  if (ask === undefined) throw new Error("No ask is open.");
  return ask;
}

/** The events about asks, each in a few words. */
export function askStory(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "ask.created" || event.type === "ask.closed") return [`${event.type} ${event.ask.patterns.join()}`];
    return event.type === "ask.replied" ? [`${event.type} ${event.ask.patterns.join()} ${event.reply.decision}`] : [];
  });
}

/** The status of each call of a session, in order. */
export async function callStates(session: Session): Promise<string[]> {
  return (await session.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : [])));
}
