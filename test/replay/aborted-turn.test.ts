import { describe, expect, it } from "vitest";
import { createAgent, defineTool } from "throughline";
import { manualClock, strictModel } from "throughline/testing";
import { dialectOf } from "./dialect-of.ts";
import { recordedFetch } from "./recorded-fetch.ts";
import { recordedModel } from "./recorded-model.ts";
import { recordingOf, recordings, whySkipped } from "./recordings.ts";
import { saidIn } from "./replay.ts";

// Without its reasoning or signature a provider refuses a call: the session would be stuck for ever.
if (recordings.length === 0) it.skip(whySkipped);
else
  describe("a turn that is aborted while its tool runs", () => {
    it.each(["responses__openai-reasoning-encrypted-content.1", "google-tool-call-gemini3"])("gives back what the call was signed with: %s", async (name) => {
      const recording = recordingOf(name);
      const dialect = dialectOf(recording);
      const [said] = saidIn(recording);
      const { fetch, bodies } = recordedFetch(recording.answers.slice(0, 1), dialect.plainAnswer, "line by line");
      const model = strictModel(recordedModel(recording, fetch));
      const waits = defineTool({ description: "Waits.", input: { type: "object" }, execute: (_input, { abortSignal }) => untilAborted(abortSignal) });
      const tools = Object.fromEntries(said?.tools.map((tool) => [tool, waits]) ?? []);
      const session = await createAgent({ model, tools, clock: manualClock(), providerOptions: { openai: { store: false } } }).session();
      const turn = session.prompt("First prompt.");
      session.on("tool.started", () => void turn.abort());
      expect(await turn.settled).toMatchObject({ outcome: "aborted" });
      await session.prompt("Second prompt.");
      expect(model.violations).toEqual([]);
      expect(dialect.returned(bodies.at(-1) ?? {}, said === undefined ? [] : [said])).toEqual([...(said?.items ?? []), ...(said?.results ?? [])]);
    });
  });

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopped")));
  });
}
