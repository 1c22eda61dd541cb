import { describe, expect, it } from "vitest";
import { reply } from "throughline/testing";
import { expectDone, nextEvent, start, textsIn } from "./session-under-test.ts";

describe("instructions", () => {
  it.each<[string, string | string[] | (() => Promise<string[]>), string]>([
    ["a text", "Be brief.", "Be brief."],
    ["several texts", ["Be brief.", "Be kind."], "Be brief.\n\nBe kind."],
    ["a function", async () => ["Be brief.", "Be kind."], "Be brief.\n\nBe kind."],
  ])("may be %s; they stand at the head of every request", async (_what, instructions, expected) => {
    const test = await start([reply.text("One."), reply.text("Two.")], { instructions });
    await test.session.prompt("1");
    await test.session.prompt("2");
    for (const request of test.model.requests) expect(textsIn(request)[0]).toBe(`system: ${expected}`);
    expectDone(test);
  });

  it("of a function are rendered once per session, so that the request stays the same", async () => {
    let count = 0;
    const seen: unknown[] = [];
    const test = await start(() => reply.text("Fine."), {
      instructions: (context) => {
        seen.push(context);
        return `Version ${(count += 1)}`;
      },
    });
    const session = await test.agent.session({ directory: "/home/me" });
    await session.prompt("1");
    await session.prompt("2");
    expect(test.model.requests.map((request) => textsIn(request)[0])).toEqual(["system: Version 1", "system: Version 1"]);
    expect(seen).toEqual([{ sessionID: session.id, directory: "/home/me" }]);
  });

  it("that fail make the turn an error; the next turn asks for them again", async () => {
    let count = 0;
    const test = await start([reply.text("Fine.")], {
      instructions: () => {
        count += 1;
        if (count === 1) throw new Error("no template");
        return "Be brief.";
      },
    });
    expect(await test.session.prompt("1").settled).toMatchObject({ outcome: "error", error: { message: "no template" }, steps: 0 });
    expect(await test.session.prompt("2")).toMatchObject({ outcome: "answered" });
    expectDone(test);
  });

  it("that never come end the turn as an error, after the limit for foreign code", async () => {
    const test = await start([], { instructions: () => new Promise<string>(() => undefined), timeouts: { hookMs: 1000 } });
    const turn = test.session.prompt("1");
    await nextEvent(test.session, "turn.started");
    await test.clock.advance(1000);
    expect(await turn.settled).toMatchObject({ outcome: "error", error: { message: expect.stringContaining("hookMs") as string } });
    expectDone(test);
  });

  it("of one prompt stand behind the agent's, for that prompt only", async () => {
    const test = await start(() => reply.text("Fine."), { instructions: "Be brief." });
    await test.session.prompt("1", { system: "Speak French." });
    await test.session.prompt("2");
    expect(test.model.requests.map((request) => textsIn(request)[0])).toEqual(["system: Be brief.\n\nSpeak French.", "system: Be brief."]);
  });

  it("may be absent or blank: then there is no system text", async () => {
    const test = await start(() => reply.text("Fine."), { instructions: " " });
    await test.session.prompt("1");
    expect(textsIn(test.model.requests[0])).toEqual(["user: 1"]);
    expectDone(test);
  });
});

describe("settings and provider options", () => {
  it("reach every model call", async () => {
    const test = await start(() => reply.text("Fine."), {
      settings: { temperature: 0.2, maxOutputTokens: 100, headers: { "x-team": "docs" } },
      providerOptions: { anthropic: { effort: "low" } },
    });
    await test.session.prompt("1");
    expect(test.model.requests[0]).toMatchObject({ temperature: 0.2, maxOutputTokens: 100, headers: { "x-team": "docs" }, providerOptions: { anthropic: { effort: "low" } } });
  });
});
