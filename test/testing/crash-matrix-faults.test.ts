import { describe, expect, it } from "vitest";
import { createToolRegistry, defineTool, memoryStorage } from "throughline";
import type { Storage } from "throughline";
import { crashMatrix, CrashMatrixError, reply, scriptedModel } from "throughline/testing";
import type { CrashMatrixOptions, CrashScenario } from "throughline/testing";
import { z } from "zod";
import { crashStores } from "./crash-stores.ts";

/** A scenario runs a hundred times, on machines that do other things too. */
const timeoutMs = 60_000;

function sendTool(idempotent: boolean) {
  return defineTool({ description: "Sends.", input: z.object({}), idempotent, execute: () => "sent" });
}

const sound: CrashScenario = {
  name: "sound",
  storage: ({ clock }) => {
    const storage = memoryStorage({ clock });
    return Promise.resolve({ storage, reopen: () => Promise.resolve(storage) });
  },
  agent: () => ({
    model: scriptedModel(({ prompt }) => (prompt.some(({ role }) => role === "tool") ? reply.text("Sent.") : reply.toolCall("send", {}))),
    tools: { send: sendTool(false) },
  }),
  run: (session) => session.prompt("Send it.", { id: "msg_1" }),
};

async function failureOf(scenario: Partial<CrashScenario>, options?: CrashMatrixOptions): Promise<CrashMatrixError> {
  const error: unknown = await crashMatrix({ ...sound, ...scenario }, options).catch((failure: unknown) => failure);
  if (error instanceof CrashMatrixError) return error;
  throw new Error(`Nothing was found: ${JSON.stringify(error)}`);
}

/** A store that has, when it is opened again, only what its first `kept` commits have written. */
function forgetful(kept: (commits: number) => number): CrashScenario["storage"] {
  return ({ clock }) => {
    const storages: Storage[] = [];
    const commits: Parameters<Storage["commit"]>[0][] = [];
    const open = (): Storage => {
      const storage = memoryStorage({ clock });
      storages.push(storage);
      return { ...storage, commit: (batch) => { commits.push(batch); return storage.commit(batch); } };
    };
    const reopen = async (): Promise<Storage> => {
      const written = commits.splice(0);
      const storage = open();
      for (const batch of written.slice(0, kept(written.length))) {
        if (batch.lease !== undefined) await storage.acquireLease(batch.lease.rootID, batch.lease.owner, 1);
        await storage.commit(batch);
      }
      return storage;
    };
    return Promise.resolve({ storage: open(), reopen });
  };
}

describe("crashMatrix finds", { timeout: timeoutMs }, () => {
  it("nothing in a sound scenario, and says how much it has tried", async () => {
    const report = await crashMatrix(sound);
    expect(report).toEqual({ scenario: "sound", commits: report.commits, points: report.commits * 2 });
    expect(report.commits).toBeGreaterThan(3);
  });

  it("the same each time", async () => {
    const first = await failureOf({ storage: forgetful((commits) => commits - 1) });
    const second = await failureOf({ storage: forgetful((commits) => commits - 1) });
    expect(second.message).toBe(first.message);
  });

  it("a prompt that was accepted and is lost", async () => {
    const { message } = await failureOf({ storage: forgetful((commits) => Math.min(commits, 1)) });
    expect(message).toContain('The scenario "sound" does not survive at');
    expect(message).toContain("process 1 killed right after its commit 2:\n    - the accepted prompt \"msg_1\" is lost");
  });

  it("a call that ran and is forgotten", async () => {
    const { message } = await failureOf({ storage: forgetful((commits) => Math.min(commits, 3)) });
    expect(message).toMatch(/the tool "send" ran (twice for the call|for the call "call_1", of which)/);
  });

  it("a tool that runs twice, with both processes", async () => {
    // The second process takes the tool for one that may run again.
    const agent: CrashScenario["agent"] = (context) => ({ ...sound.agent(context), tools: { send: sendTool(context.process > 1) } });
    expect((await failureOf({ agent })).message).toContain('the tool "send" ran twice for the call "call_1": in process 1 and in process 2');
  });

  it("a result that differs", async () => {
    const result: CrashScenario["result"] = async (session) => (await session.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : [])));
    const { message, failures } = await failureOf({ result });
    expect(message).toContain('without a crash: ["completed"]\n        after it:        ["error"]');
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every(({ crashes }) => crashes.length === 1)).toBe(true);
  });

  it("a model that cannot be watched, and tools that cannot be counted", async () => {
    await expect(crashMatrix({ ...sound, agent: () => ({ model: "provider/model" }) })).rejects.toThrow("crashMatrix.agent.model");
    const agent: CrashScenario["agent"] = (context) => ({ ...sound.agent(context), tools: createToolRegistry() });
    await expect(crashMatrix({ ...sound, agent })).rejects.toThrow("crashMatrix.agent.tools");
  });

  it("what the scenario's own check finds", async () => {
    const check = (): Promise<void> => Promise.reject(new Error("too few"));
    expect((await failureOf({ check })).message).toContain("without a crash:\n    - the scenario's check failed: Error: too few");
  });

  it("a scenario that fails, or waits for ever, without a crash", async () => {
    expect((await failureOf({ run: () => Promise.reject(new Error("wrong")) })).message).toContain("process 1 failed: Error: wrong");
    expect((await failureOf({ run: () => new Promise(() => undefined) }, { giveUpMs: 200 })).message).toContain("process 1 waits for something that never comes");
  });

  it("a scenario that does not do the same each time", async () => {
    let runs = 0;
    const run: CrashScenario["run"] = async (session) => {
      runs += 1;
      if (runs === 1) await session.prompt("Send it.");
    };
    expect((await failureOf({ run })).message).toContain("the scenario does not do the same each time");
  });
});

describe("crashMatrix", { timeout: timeoutMs }, () => {
  it.each(Object.entries(crashStores))("survives a second crash at each commit of each recovery, on %s", async (store, storage) => {
    const report = await crashMatrix({ ...sound, storage }, { crashes: 2 });
    process.stdout.write(`${store}: two crashes in a row: ${report.commits} commits, ${report.points} points\n`);
    expect(report.points).toBeGreaterThan(report.commits * 4);
  });
});
