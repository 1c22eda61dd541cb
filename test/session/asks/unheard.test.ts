import { describe, expect, it } from "vitest";
import { reply } from "throughline/testing";
import { echoTool, expectDone, nextEvent, start } from "../session-under-test.ts";

const permissions = [{ permission: "echo", action: "ask" as const }];
const script = [reply.toolCall("echo", { text: "a" }), reply.text("Done.")];

describe("an ask that waits without limit", () => {
  it("is said to the logger when nobody in the process would hear of it, and can be answered all the same", async () => {
    const warnings: string[] = [];
    const test = await start(script, { tools: { echo: echoTool().echo }, permissions });
    const { agent, session } = test;
    // The session under test listens itself; this one is listened to by nobody.
    const quiet = await start(script, { tools: { echo: echoTool().echo }, permissions, logger: ({ level, message }) => { if (level === "warn") warnings.push(message); } });
    const alone = await quiet.agent.session();
    const turn = alone.prompt("Go");
    await turn.accepted;
    while ((await alone.asks()).length === 0) await quiet.clock.advance(0);
    expect(warnings).toEqual([expect.stringContaining('Tool "echo" waits for a person')]);
    const [ask] = await alone.asks();
    await alone.reply(ask?.id ?? "", { decision: "once" });
    expect(await turn).toMatchObject({ outcome: "answered", text: "Done." });

    const heard = session.prompt("Go");
    const { ask: own } = await nextEvent(session, "ask.created");
    await session.reply(own.id, { decision: "once" });
    await heard;
    expect(test.problems).toEqual([]);
    expectDone(test);
    await agent.close();
  });

  it("is not, when the agent or the turn's iterator hears of it, or it has a limit, or the turn does not wait in place", async () => {
    const warnings: string[] = [];
    const logger = ({ level, message }: { level: string; message: string }): void => { if (level === "warn") warnings.push(message); };
    const options = { tools: { echo: echoTool().echo }, permissions, logger };
    const byAgent = await start(script, options);
    byAgent.agent.on("ask.created", ({ ask }) => void byAgent.agent.session(ask.sessionID).then((session) => session.reply(ask.id, { decision: "once" })));
    await (await byAgent.agent.session()).prompt("Go");

    const byTurn = await (await start(script, options)).agent.session();
    for await (const event of byTurn.prompt("Go")) if (event.type === "ask.created") await byTurn.reply(event.ask.id, { decision: "once" });

    const limited = await start(script, { ...options, asks: { timeoutMs: 1_000, onReject: "continue" } });
    const turn = (await limited.agent.session()).prompt("Go").settled;
    await limited.clock.runAll();
    await turn;

    const released = await start(script, { ...options, asks: { mode: "release" } });
    expect((await (await released.agent.session()).prompt("Go").settled).outcome).toBe("waiting");
    expect(warnings).toEqual([]);
  });
});
