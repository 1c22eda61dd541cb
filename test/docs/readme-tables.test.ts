import { existsSync, readFileSync } from "node:fs";
import * as throughline from "throughline";
import type { MessageErrorCode, SessionEventMap, SessionEventType } from "throughline";
import * as testing from "throughline/testing";
import { expect, test } from "vitest";
import type { ErrorCode } from "../../src/errors.ts";
import { defaultKeptOutputs, defaultLeases, defaultMaxQueued, defaultMaxSteps, defaultOutputLimits, defaultRetry, defaultTimeouts, defaultToolConcurrency, defaultTurnConcurrency } from "../../src/session/defaults.ts";
import type { EventBase } from "../../src/session/events.ts";
import { namesIn, tableRows } from "./markdown.ts";

const readme = readFileSync("README.md", "utf8");

/** What each event carries besides the base: the compiler keeps it complete and without extras. */
const payloads: { [K in SessionEventType]: { [F in Exclude<keyof SessionEventMap[K], keyof EventBase>]-?: true } } = {
  "session.created": { session: true },
  "session.updated": { session: true },
  "session.deleted": { session: true },
  "session.closed": { session: true },
  "session.status": { status: true },
  "session.error": { error: true },
  "session.compacted": { messageID: true },
  "session.damaged": { damage: true },
  "turn.started": { messageID: true },
  "turn.finished": { messageID: true, outcome: true, tokens: true, cost: true },
  "step.started": { messageID: true, step: true, attempt: true },
  "step.finished": { messageID: true, finish: true, tokens: true, cost: true },
  "step.dropped": { messageID: true, error: true },
  "step.retry": { messageID: true, attempt: true, delayMs: true, error: true },
  "request.changed": { messageID: true, reason: true, path: true },
  "message.updated": { message: true },
  "message.removed": { messageID: true },
  "part.updated": { part: true },
  "part.delta": { messageID: true, partID: true, partType: true, field: true, offset: true, delta: true },
  "part.removed": { messageID: true, partID: true },
  "tool.started": { messageID: true, partID: true, callID: true, tool: true, title: true, input: true },
  "tool.progress": { messageID: true, partID: true, callID: true, tool: true, title: true, metadata: true },
  "tool.finished": { messageID: true, partID: true, callID: true, tool: true, title: true, status: true, durationMs: true },
  "ask.created": { ask: true },
  "ask.replied": { ask: true, reply: true },
  "ask.closed": { ask: true },
  "prompt.admitted": { messageID: true },
  "prompt.promoted": { messageID: true },
  "prompt.cancelled": { messageID: true },
};

/** Every code with its class. */
const errorClasses: Record<ErrorCode, string> = {
  "invalid-argument": "InvalidArgumentError",
  "invalid-tool": "InvalidToolError",
  "duplicate-tool": "DuplicateToolError",
  "session-not-found": "SessionNotFoundError",
  "session-closed": "SessionClosedError",
  "agent-closed": "AgentClosedError",
  "prompt-not-found": "PromptNotFoundError",
  "queue-full": "QueueFullError",
  "ask-not-found": "AskNotFoundError",
  "ask-rejected": "AskRejectedError",
  "compaction-failed": "CompactionFailedError",
  conflict: "ConflictError",
  "lease-lost": "LeaseLostError",
  storage: "StorageError",
  "storage-damaged": "StorageDamagedError",
  "storage-newer": "StorageNewerError",
  "missing-package": "MissingPackageError",
  "turn-failed": "TurnFailedError",
  "turn-aborted": "TurnAbortedError",
  "turn-interrupted": "InterruptedTurnError",
  "nothing-to-resume": "NothingToResumeError",
  "invalid-transition": "InvalidTransitionError",
  "unexpected-model-call": "UnexpectedModelCallError",
  "unused-model-replies": "UnusedRepliesError",
  "invalid-request": "InvalidRequestError",
  crashed: "CrashedError",
  "crash-matrix": "CrashMatrixError",
};

/** Every code of a stored error, and whether the same may succeed later. */
const messageErrors: Record<MessageErrorCode, string> = {
  aborted: "no",
  auth: "no",
  "bad-request": "no",
  budget: "no",
  "content-filter": "no",
  empty: "yes",
  interrupted: "no",
  length: "no",
  network: "yes",
  "not-found": "no",
  overflow: "no",
  overloaded: "yes",
  quota: "no",
  "rate-limit": "yes",
  rejected: "no",
  repetition: "no",
  steps: "no",
  storage: "no",
  "structured-output": "no",
  timeout: "yes",
  "truncated-stream": "yes",
  unknown: "if the provider says so",
};

test("README.md lists every code of a stored error", () => {
  const rows = tableRows(readme, "Errors", ["error.code", "when", "retryable"]);
  expect(rows.map(({ "error.code": code, retryable }) => [namesIn(code)[0], retryable])).toEqual(Object.entries(messageErrors));
});

test("README.md lists every event with all that it carries", () => {
  const rows = tableRows(readme, "Events", ["event", "carries", "when"]);
  const listed = rows.map(({ event, carries }) => [namesIn(event)[0], namesIn(carries)]);
  expect(listed).toEqual(Object.entries(payloads).map(([name, fields]) => [name, Object.keys(fields)]));
});

test("README.md lists every error class with its code", () => {
  const rows = tableRows(readme, "Errors", ["class", "code", "what to do"]);
  expect(rows.map(({ class: name, code }) => [namesIn(code)[0], namesIn(name)[0]])).toEqual(Object.entries(errorClasses));

  const exported = Object.keys({ ...throughline, ...testing }).filter((name) => name.endsWith("Error"));
  expect([...Object.values(errorClasses), "ThroughlineError"].sort()).toEqual(exported.sort());
});

test("README.md lists every limit with its default", () => {
  const rows = tableRows(readme, "Limits and defaults", ["option", "limits", "default"]);
  const listed = Object.fromEntries(rows.map(({ option, default: value }) => [namesIn(option).join(), Number(value.replaceAll(",", ""))]));
  expect(listed).toEqual({
    maxSteps: defaultMaxSteps,
    ...Object.fromEntries(Object.entries(defaultRetry).map(([name, value]) => [`retry.${name}`, value])),
    maxQueued: defaultMaxQueued,
    ...Object.fromEntries(Object.entries(defaultTimeouts).map(([name, limitMs]) => [`timeouts.${name}`, limitMs])),
    ...Object.fromEntries(Object.entries(defaultLeases).map(([name, limitMs]) => [`leases.${name}`, limitMs])),
    "concurrency.turns": defaultTurnConcurrency,
    "concurrency.tools": defaultToolConcurrency,
    ...Object.fromEntries(Object.entries({ ...defaultOutputLimits, keep: defaultKeptOutputs }).map(([name, value]) => [`toolOutput.${name}`, value])),
  });
});

test("the files that the documents link to are there, and in the package", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  // npm packs the licence and README.md by itself.
  const packed = [...files, "LICENSE", "README.md"];
  for (const file of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]) {
    const links = [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? "");
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
    expect(links.filter((link) => !packed.some((entry) => link === entry || link.startsWith(`${entry}/`)))).toEqual([]);
  }
});
