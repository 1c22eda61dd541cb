import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createAgent, type SessionEvent, type TurnResult } from "throughline";
import { strictModel } from "throughline/testing";
import { eventsOfType } from "../session/session-under-test.ts";
import { serve, type LocalServer } from "./local-server.ts";
import { wires, type Wire } from "./wires.ts";

/** What a server does wrong. */
interface Failure {
  what: string;
  answer(response: ServerResponse, wire: Wire): void;
  code: string;
  /** What had come by then. */
  partial?: string;
  /** It only ends by a limit. */
  stalls?: true;
}

/** Long enough for a good answer of this machine, also when it is busy. */
const stallLimitMs = 250;

const refuse = (status: number) => (response: ServerResponse, wire: Wire): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(wire.refusal("No."));
};

/** So many events of the answer; then something else. */
const begin = (response: ServerResponse, { hello }: Wire): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(hello.slice(0, 2).join(""));
};

const failures: readonly Failure[] = [
  { what: "429", answer: refuse(429), code: "rate-limit" },
  { what: "500", answer: refuse(500), code: "overloaded" },
  { what: "503", answer: refuse(503), code: "overloaded" },
  { what: "529", answer: refuse(529), code: "overloaded" },
  {
    what: "a reset in the midst of the stream",
    answer: (response, wire) => {
      begin(response, wire);
      setTimeout(() => { response.socket?.resetAndDestroy(); }, 20);
    },
    code: "network",
    partial: "Hel",
  },
  {
    what: "a stream that ends too early",
    answer: (response, wire) => {
      begin(response, wire);
      response.end();
    },
    code: "truncated-stream",
    partial: "Hel",
  },
  { what: "a page of HTML", answer: (response) => { response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Bad gateway</body></html>"); }, code: "truncated-stream" },
  {
    what: "a line of garbage",
    answer: (response, wire) => {
      begin(response, wire);
      response.end(`data: {"cut": \n\n${wire.hello.slice(2).join("")}`);
    },
    code: "truncated-stream",
    partial: "Hel",
  },
  { what: "headers that never come", answer: () => undefined, code: "timeout", stalls: true },
  { what: "a body that stalls", answer: begin, code: "timeout", partial: "Hel", stalls: true },
];

const answerWell = (response: ServerResponse, { hello }: Wire): void => {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(hello.join(""));
};

/** A prompt to a model behind a server that fails so often first. */
async function promptThrough(wire: Wire, { answer, stalls }: Failure, failing: number): Promise<{ result: TurnResult; events: SessionEvent[]; server: LocalServer; status: string }> {
  const server = await serve((response, index) => { (index < failing ? answer : answerWell)(response, wire); });
  try {
    const model = strictModel(wire.model(server.url));
    const agent = createAgent({ model, retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 5 }, timeouts: stalls === true ? { firstChunkMs: stallLimitMs, idleMs: stallLimitMs } : {} });
    const session = await agent.session();
    const events: SessionEvent[] = [];
    session.on("*", (event) => events.push(event));
    const result = await session.prompt("Hi").settled;
    expect(model.violations).toEqual([]);
    return { result, events, server, status: session.status.type };
  } finally {
    await server.close();
  }
}

describe.each(wires)("over $name", (wire) => {
  it.each(failures)("$what is tried again, and nothing of it stays", async (failure) => {
    const { result, events, server, status } = await promptThrough(wire, failure, 1);
    expect({ outcome: result.outcome, text: result.text, status, requests: server.requests }).toEqual({ outcome: "answered", text: "Hello!", status: "idle", requests: 2 });
    expect(eventsOfType(events, "step.retry").map(({ error }) => error.code)).toEqual([failure.code]);
    expect(eventsOfType(events, "step.dropped")).toHaveLength(1);
    expect(result.messages).toHaveLength(1);
  });

  it.each(failures)("$what, again and again, ends the turn with what went wrong", async (failure) => {
    const { result, events, server, status } = await promptThrough(wire, failure, Number.POSITIVE_INFINITY);
    expect({ outcome: result.outcome, text: result.text, status, requests: server.requests }).toEqual({ outcome: "error", text: failure.partial ?? "", status: "idle", requests: 2 });
    expect(result).toMatchObject({ error: { code: failure.code, retryable: true } });
    expect(eventsOfType(events, "step.retry")).toHaveLength(1);
    expect(eventsOfType(events, "turn.finished")).toHaveLength(1);
  });
});
