import { beforeAll, describe, expect, it } from "vitest";
import type { WithParts } from "throughline";
import { dialectOf } from "./dialect-of.ts";
import { expectSound } from "./expect-sound.ts";
import type { Delivery } from "./recorded-fetch.ts";
import { brokenRecordings, recordings, whySkipped } from "./recordings.ts";
import { plainAnswerOf, replay, saidIn, type Replay } from "./replay.ts";

const whole = recordings.filter(({ name }) => !brokenRecordings.includes(name));
const deliveries: Delivery[] = ["line by line", { bytes: 7 }];

if (recordings.length === 0) it.skip(whySkipped);
else describe.each(deliveries)("a recorded stream, delivered %j", (delivery) => {
  describe.each(whole)("$provider: $name", (recording) => {
    const dialect = dialectOf(recording);
    const said = saidIn(recording);
    let replayed: Replay;

    beforeAll(async () => {
      replayed = await replay(recording, { delivery });
    });

    it("is an answer", () => {
      const isCut = recording.answers.flat().some((line) => line.includes('"finish_reason":"length"'));
      expect(replayed.first).toMatchObject({ outcome: isCut ? "limit" : "answered", toolErrors: [] });
      expectSound(replayed, recording);
    });

    it("is stored as it was said", () => {
      const answers = replayed.first.messages.map(textsOf);
      expect(answers.slice(0, said.length)).toEqual(said.map(({ text, reasoning }) => ({ text, reasoning })));
    });

    it("comes back to its provider byte for byte, each piece in its place, each call with one result", () => {
      // A recording that ends with calls goes on with the plain answer.
      const heard = said.at(-1)?.results.length === 0 ? said : [...said, plainAnswerOf(recording)];
      const owed = heard.flatMap(({ items, results }) => [...items, ...results]);
      expect(dialect.returned(replayed.nextBody, heard)).toEqual(owed);
    });

    it("is told in requests that only grow, also after the session was opened again", () => {
      const told = replayed.bodies.map((body) => dialect.messages(body));
      for (const [index, messages] of told.slice(1).entries()) expect(messages.slice(0, told[index]?.length)).toEqual(told[index]);
    });
  });
});

function textsOf({ parts }: WithParts): { text: string; reasoning: string } {
  const all = (type: "text" | "reasoning"): string => parts.map((part) => (part.type === type ? part.text : "")).join("");
  return { text: all("text"), reasoning: all("reasoning") };
}
