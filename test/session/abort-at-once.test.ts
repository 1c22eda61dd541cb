import { APICallError } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { memoryStorage, type SessionEventType } from "throughline";
import { reply } from "throughline/testing";
import { eventsOfType, expectDone, nextEvent, start } from "./session-under-test.ts";

const overloaded = new APICallError({ message: "Overloaded", url: "https://acme.test", requestBodyValues: {}, statusCode: 529 });

it("no call follows session.abort(), also when the next attempt is about to begin in that very moment", async () => {
  const test = await start([reply.error(overloaded)], { retry: { maxAttempts: 3 } });
  let waits = false;
  test.session.on("session.status", ({ status }) => {
    if (waits && status.type === "busy") void test.session.abort();
    waits = status.type === "retry";
  });
  const turn = test.session.prompt("Go").settled;
  await nextEvent(test.session, "step.retry");
  await test.clock.runAll();
  expect(await turn).toMatchObject({ outcome: "aborted" });
  expect(test.model.requests).toHaveLength(1);
  expectDone(test);
});

it.each<SessionEventType>(["turn.started", "step.started", "part.updated", "step.finished", "turn.finished"])("an abort that cancels the queue lets nothing of it begin, also at %s", async (moment) => {
  // A storage that takes its time: the running turn ends before the queue was read.
  const storage = memoryStorage();
  const inbox = storage.inbox.bind(storage);
  storage.inbox = async (id) => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return inbox(id);
  };
  const test = await start(() => reply.text("Hi."), { storage });
  const first = test.session.prompt("One");
  const others = [test.session.prompt("Two"), test.session.prompt("Three")];
  await Promise.all([first, ...others].map(({ accepted }) => accepted));
  let aborting: Promise<void> | undefined;
  if (eventsOfType(test.events, moment).length === 0) await nextEvent(test.session, moment, () => ((aborting = test.session.abort({ queue: "cancel" })), true));
  await (aborting ?? test.session.abort({ queue: "cancel" }));
  await first.settled;
  expect((await Promise.all(others.map(({ settled }) => settled))).map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  expect(test.model.requests.length).toBeLessThanOrEqual(1);
  expectDone(test);
});
