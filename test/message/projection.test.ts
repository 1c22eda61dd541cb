import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProjection } from "../../src/message/projection.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { anyHistory, models } from "./projection-arbitraries.ts";
import { assistant, completed, failed, text, tool, user } from "./projection-samples.ts";

const anyModel = fc.constantFrom(...models);

describe("createProjection", () => {
  it("gives, message by message, what all at once gives", () => {
    fc.assert(
      fc.property(anyHistory, anyModel, (history, model) => {
        const projection = createProjection(model);
        history.forEach((message, index) => {
          projection.add(message);
          expect(projection.request()).toEqual(toModelMessages(history.slice(0, index + 1), model));
        });
      }),
      { numRuns: 200 },
    );
  });

  it("only appends, or extends the last user message", () => {
    fc.assert(
      fc.property(anyHistory, anyModel, (history, model) => {
        const projection = createProjection(model);
        for (const message of history) {
          const before = projection.messages.map((earlier) => JSON.stringify(earlier));
          projection.add(message);
          const after = projection.messages.slice(0, before.length);
          after.forEach((later, index) => {
            if (JSON.stringify(later) === before[index]) return;
            expect(index).toBe(before.length - 1);
            expect(later.role).toBe("user");
            // Without the closing `]}`, the shorter message is the beginning of the longer one.
            expect(JSON.stringify(later).startsWith(before[index]?.slice(0, -2) ?? "")).toBe(true);
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("makes each request a prefix of the one after the model's reply", () => {
    const reply = assistant([text("reply"), tool("call_reply", completed("ok"))], { id: "msg_reply" });
    fc.assert(
      fc.property(anyHistory, anyModel, (history, model) => {
        const projection = createProjection(model);
        for (const message of history) projection.add(message);
        const request = projection.request().map((message) => JSON.stringify(message));
        projection.add(reply);
        expect(projection.request().slice(0, request.length).map((message) => JSON.stringify(message))).toEqual(request);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the note that ended a request once the model has gone on", () => {
    const projection = createProjection(modelProfiles.default);
    projection.add(user([text("hi")]));
    projection.add(assistant([text("half")], failed("interrupted")));
    const request = projection.request();
    expect(request.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(projection.messages).toHaveLength(2);
    projection.add(assistant([text("the rest")]));
    expect(projection.messages.slice(0, 3)).toEqual(request);
  });

  it("does not change a request that was handed out", () => {
    const projection = createProjection(modelProfiles.default);
    projection.add(user([text("one")]));
    const request = projection.request();
    projection.add(user([text("two")], { id: "msg_2" }));
    expect(request).toEqual([{ role: "user", content: [{ type: "text", text: "one" }] }]);
    expect(projection.request()[0]?.content).toHaveLength(2);
  });

  it("costs a step as much as the step is large, however long the history", () => {
    const projection = createProjection(modelProfiles.default);
    let reads = 0;
    // Counts every look at a message that was added before.
    const watched = new Proxy(assistant([tool("call_first", completed("A"))], { id: "msg_first" }), {
      get(target, key, receiver) {
        reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    projection.add(watched);
    const readsToConvert = reads;
    for (let step = 0; step < 50; step += 1) projection.add(assistant([tool("call_0", completed("A"))], { id: `msg_${step}` }));
    expect(projection.request().length).toBeGreaterThan(100);
    expect(reads).toBe(readsToConvert);
  });
});
