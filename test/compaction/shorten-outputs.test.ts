import fc from "fast-check";
import { expect, it } from "vitest";
import { shortenOutputs } from "../../src/compaction/shorten-outputs.ts";
import type { ModelOutput } from "../../src/message/tool-state.ts";
import { anyHistory } from "../message/projection-arbitraries.ts";
import { assistant, attachment, completed, errored, pending, png, text, tool, user } from "../message/projection-samples.ts";

const long = "0123456789".repeat(10);
const short = `${long.slice(0, 10)}\n[90 more characters are not shown]`;
const stateOf = (output: ModelOutput) => completed(long, { modelOutput: output });

it("cuts what tools gave, and nothing else", () => {
  const file = attachment("image/png", png);
  const entries = [
    user([text(long)]),
    assistant([text(long), tool("a", completed(long, { attachments: [file] })), tool("b", errored(long)), tool("c", completed("short")), tool("d", pending)]),
  ];
  const copy = structuredClone(entries);
  const [prompt, answer] = shortenOutputs(entries, 10);
  expect(prompt).toEqual(entries[0]);
  expect(answer?.parts).toMatchObject([{ text: long }, { state: { output: short, attachments: [file] } }, { state: { error: short } }, { state: { output: "short" } }, { state: pending }]);
  expect(entries).toEqual(copy);
});

it.each<[ModelOutput, ModelOutput]>([
  [{ type: "text", value: long }, { type: "text", value: short }],
  [{ type: "error-text", value: long }, { type: "error-text", value: short }],
  [{ type: "json", value: [long] }, { type: "text", value: `["01234567\n[94 more characters are not shown]` }],
  [{ type: "error-json", value: [long] }, { type: "error-text", value: `["01234567\n[94 more characters are not shown]` }],
  [{ type: "json", value: [1] }, { type: "json", value: [1] }],
  [{ type: "content", value: [{ type: "text", text: long }] }, { type: "content", value: [{ type: "text", text: short }] }],
  [{ type: "execution-denied", reason: "no" }, { type: "execution-denied", reason: "no" }],
])("%j is cut in what the model is shown", (output, expected) => {
  const [answer] = shortenOutputs([assistant([tool("a", stateOf(output)), tool("p", stateOf(output), { providerExecuted: true })])], 10);
  expect(answer?.parts).toMatchObject([{ state: { modelOutput: expected } }, { state: { modelOutput: output } }]);
});

it("leaves no half of a surrogate pair, and any history whole but for its outputs", () => {
  const [answer] = shortenOutputs([assistant([tool("a", completed("👍👍👍"))])], 3);
  expect(answer?.parts).toMatchObject([{ state: { output: "👍\uFFFD\n[3 more characters are not shown]" } }]);
  fc.assert(
    fc.property(anyHistory, (history) => {
      expect(shortenOutputs(history, 1_000)).toEqual(history);
    }),
    { numRuns: 100 },
  );
});
