import { describe, expect, it } from "vitest";
import { memoryStorage } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { echoTool, start, type SessionUnderTest } from "../session/session-under-test.ts";
import { intercepted } from "./faulty-storage.ts";

const fail = (): never => {
  throw new Error("no");
};

/** What foreign code may throw, each hard to say something about. */
const thrown: [name: string, value: unknown][] = [
  ["a symbol", Symbol("x")],
  ["an object without a prototype", Object.create(null)],
  ["an object whose toString throws", { toString: fail }],
  ["an error whose message cannot be read", Object.defineProperty(new Error("x"), "message", { get: fail })],
  ["a proxy whose every look throws", new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail })],
  ["nothing", undefined],
  ["a bigint", 10n],
  ["an object whose toJSON throws", { toJSON: fail }],
  ["an object whose toJSON gives nothing", { toJSON: () => undefined }],
];

async function expectClosedMessage({ session }: SessionUnderTest): Promise<void> {
  const newest = (await session.messages()).at(-1);
  expect(newest?.info).toMatchObject({ role: "assistant", error: { message: expect.stringMatching(/./) as string }, time: { completed: expect.any(Number) as number } });
  for (const part of newest?.parts ?? []) if (part.type === "text") expect(part.time?.end).toBeDefined();
}

describe.each(thrown)("when foreign code throws %s", (_name, error) => {
  it("a model's message and its parts are closed, whether it throws or streams it", async () => {
    for (const inStream of ["throw", "part"] as const) {
      const test = await start([[reply.text("Partial"), reply.error(error, { inStream })]]);
      expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "error" });
      await expectClosedMessage(test);
    }
  });

  it("a policy denies the one call", async () => {
    const { echo, runs } = echoTool();
    const permissions = (): never => {
      throw error;
    };
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("Done.")], { tools: { echo }, permissions });
    expect(await test.session.prompt("Hi").settled).toMatchObject({ outcome: "answered", toolErrors: [{ tool: "echo" }] });
    expect(runs).toEqual([]);
  });

  it("a storage's failure is a StorageError", async () => {
    const clock = manualClock();
    const storage = intercepted(memoryStorage({ clock }), (method, next) => (method === "listSessions" ? Promise.reject(error) : next()));
    const { agent } = await start([], { clock, storage });
    const listing = agent.sessions().catch((reason: unknown) => reason);
    await clock.advance(10_000);
    expect(await listing).toMatchObject({ code: "storage" });
  });
});
