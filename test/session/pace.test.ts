import { expect, it } from "vitest";
import { createAgent } from "throughline";
import { reply, scriptedModel } from "throughline/testing";

it("spreads the steps of many sessions over turns of the event loop", async () => {
  const sessions = 100;
  let callsInTurn = 0;
  let mostCallsInTurn = 0;
  let turning = true;
  const countTurns = (): void => {
    callsInTurn = 0;
    if (turning) setImmediate(countTurns);
  };
  countTurns();
  const model = scriptedModel(
    Array.from({ length: sessions }, () => () => {
      callsInTurn += 1;
      mostCallsInTurn = Math.max(mostCallsInTurn, callsInTurn);
      return reply.text("Done.");
    }),
  );
  const agent = createAgent({ model });
  const results = await Promise.all(Array.from({ length: sessions }, async () => (await agent.session()).prompt("Go.")));
  turning = false;
  expect(results.map(({ text }) => text)).toEqual(Array.from({ length: sessions }, () => "Done."));
  expect(mostCallsInTurn).toBeLessThanOrEqual(32);
  expect(mostCallsInTurn).toBeGreaterThan(1);
});
