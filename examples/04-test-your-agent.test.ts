/** How to test your own agent: a scripted model in place of the real one, and your tools as they are. */
import { createAgent, defineTool, modelProfiles, type Clock, type LanguageModel } from "throughline";
import { manualClock, reply, scriptedModel, strictModel } from "throughline/testing";
import { expect, test } from "vitest";
import { z } from "zod";

// The agent under test. Its model and its clock come from outside: that is all a test needs.
const search = defineTool({
  description: "Searches the handbook.",
  input: z.object({ query: z.string() }),
  execute: ({ query }) => (query.includes("holiday") ? "Holidays: 30 days a year." : "Nothing found."),
});
const handbookAgent = (model: LanguageModel, clock?: Clock) =>
  createAgent({ model, clock, tools: { search }, instructions: "Search the handbook before you answer.", retry: { maxAttempts: 1 } });

test("it searches before it answers", async () => {
  const model = strictModel(
    scriptedModel([
      reply.toolCall("search", { query: "holidays" }),
      (request) => {
        // What the model is shown: the result of the call is the newest message.
        expect(request.prompt.at(-1)).toMatchObject({ role: "tool", content: [{ output: { value: "Holidays: 30 days a year." } }] });
        return reply.text("You have 30 days.");
      },
    ]),
    modelProfiles.anthropic, // refuses what the real provider would refuse
  );
  const session = await handbookAgent(model).session();

  const { text } = await session.prompt("How many holidays do I have?");

  expect(text).toBe("You have 30 days.");
  expect(model.violations).toEqual([]);
  model.assertDone(); // every reply was used, and none was missing
});

test("it says so when the model does not answer in time", async () => {
  const clock = manualClock();
  const session = await handbookAgent(scriptedModel([reply.stall()]), clock).session();
  const turn = session.prompt("How many holidays do I have?");

  await clock.advance(120_000); // two minutes pass at once

  expect(await turn.settled).toMatchObject({ outcome: "error", error: { code: "timeout" } });
  expect(clock.pending()).toBe(0); // nothing was left behind
});
