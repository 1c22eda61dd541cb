import { describe, expect, it } from "vitest";
import { dialectOf } from "./dialect-of.ts";
import { expectSound } from "./expect-sound.ts";
import { record } from "./json.ts";
import type { Delivery } from "./recorded-fetch.ts";
import { brokenRecordings, payloadsOf, recordingOf, recordings, whySkipped } from "./recordings.ts";
import { replay } from "./replay.ts";

const deliveries: Delivery[] = ["line by line", { bytes: 7 }];

if (recordings.length === 0) it.skip(whySkipped);
else {
  describe.each(deliveries)("a recorded failure, delivered %j", (delivery) => {
    it.each(brokenRecordings)("%s ends its turn with a typed error, and the session goes on", async (name) => {
      const recording = recordingOf(name);
      const replayed = await replay(recording, { delivery });
      expect(replayed.first).toMatchObject({ outcome: "error", steps: 1, error: { message: expect.stringMatching(/\w/) as string } });
      expectSound(replayed, recording);
    });

    it("a refusal is an error of the content filter, and leaves nothing in the next request", async () => {
      const recording = recordingOf("anthropic-refusal");
      const { first, nextBody } = await replay(recording, { delivery });
      expect(first).toMatchObject({ outcome: "error", error: { code: "content-filter", retryable: false } });
      expect(dialectOf(recording).returned(nextBody, [])).toEqual([]);
    });

    it("a failure inside a stream that began well says what the provider said", async () => {
      const recording = recordingOf("responses__openai-error.1");
      const failure = payloadsOf(recording.answers.flat()).find(({ type }) => type === "error");
      const { first } = await replay(recording, { delivery });
      expect(first).toMatchObject({ outcome: "error", error: { message: record(failure?.["error"])["message"], code: "quota", retryable: false, statusCode: 429 } });
    });

    it("a call of a broken stream does not run, and what it was signed with does not come back", async () => {
      const recording = recordingOf("spliced-message-start");
      const { first, nextBody } = await replay(recording, { delivery });
      const calls = first.messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"));
      expect(calls.map(({ callID, state }) => [callID, state.status])).toEqual([["toolu_first", "error"]]);
      expect(first.toolErrors).toMatchObject([{ error: expect.stringContaining("was not run") as string }]);
      const wire = JSON.stringify(nextBody);
      for (const opaque of ["sig-first", "sig-second", "toolu_second"]) expect(wire).not.toContain(opaque);
    });
  });

  it("an answer that was cut at the output limit is kept as far as it came", async () => {
    const recording = recordingOf("chat__deepseek-text");
    const { first, nextBody } = await replay(recording);
    expect(first).toMatchObject({ outcome: "limit", error: { code: "length" } });
    expect(dialectOf(recording).returned(nextBody, [])).toEqual([{ type: "text", text: first.text }]);
  });
}
