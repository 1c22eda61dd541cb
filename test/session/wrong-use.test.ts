import { describe, expect, it } from "vitest";
import { InvalidArgumentError, SessionClosedError, ThroughlineError, type PromptInput, type PromptOptions } from "throughline";
import { scriptedModel } from "throughline/testing";
import { start } from "./session-under-test.ts";

/** What is thrown at once, before anything is stored. */
function thrown(action: () => unknown): ThroughlineError {
  try {
    action();
  } catch (error) {
    if (ThroughlineError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

// Callers without types pass anything: that is what these tests are about.
const asInput = (value: unknown): PromptInput => value as PromptInput;
const asOptions = (value: unknown): PromptOptions => value as PromptOptions;

describe("a prompt that cannot be", () => {
  it.each<[string, unknown, RegExp]>([
    ["empty", "", /prompt\.input: the prompt is empty\. Give it a text or a file/],
    ["blank", " \n", /the prompt is empty/],
    ["without parts", [], /the prompt is empty/],
    ["of ignored parts only", [{ type: "text", text: "note", ignored: true }], /the prompt is empty/],
    ["undefined", undefined, /expected a text or a list of parts, got undefined; e\.g\. session\.prompt/],
    ["a number", 7, /expected a text or a list of parts, got number/],
    ["an object", { text: "Hi" }, /expected a text or a list of parts/],
    ["of an unknown part", [{ type: "image", url: "x" }], /prompt\.input\[0\]: expected a part of type "text" or "file", got "image"/],
    ["of null", [null], /prompt\.input\[0\]: expected a part/],
    ["a text part without a text", [{ type: "text" }], /prompt\.input\[0\]\.text: expected a text, got undefined/],
    ["a file without a media type", [{ type: "file", url: "data:,x" }], /prompt\.input\[0\]\.mime: expected a media type such as "image\/png"/],
    ["a file whose name is a number", [{ type: "file", mime: "image/png", url: "data:image/png;base64,AA", filename: 5 }], /prompt\.input\[0\]\.filename: expected a text, got number/],
    ["a text part with a misspelt field", [{ type: "text", text: "note", ignore: true }], /prompt\.input\[0\]\.ignore: there is no such option/],
    ["a text part with a flag that is none", [{ type: "text", text: "note", ignored: "yes" }], /prompt\.input\[0\]\.ignored: expected true or false, got string/],
    // eslint-disable-next-line no-sparse-arrays -- a list with a hole is what the test is about
    ["a list with a hole", [, { type: "text", text: "Hi" }], /prompt\.input\[0\]: expected a part/],
    ["a file by a local path", [{ type: "file", mime: "image/png", url: "/tmp/x.png" }], /prompt\.input\[0\]\.url: .*Read a local file yourself/],
  ])("%s is an InvalidArgumentError that says what to do", async (_what, input, message) => {
    const { session, storage, events } = await start([]);
    const error = thrown(() => session.prompt(asInput(input)));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({ code: "invalid-argument" });
    expect(error.message).toMatch(message);
    expect((await storage.inbox(session.id)).queued).toEqual([]);
    expect(events).toEqual([]);
  });
});

describe("a prompt option of the wrong type", () => {
  it.each<[string, unknown, RegExp]>([
    ["an unknown name", { modle: "x" }, /prompt\.options.*modle/],
    ["options that are no object", "steer", /prompt\.options/],
    ["an empty id", { id: "" }, /prompt\.options\.id/],
    ["an id that is no text", { id: 7 }, /prompt\.options\.id/],
    ["a model that is none", { model: {} }, /prompt\.options\.model: .*not an AI SDK language model/],
    ["a delivery that does not exist", { delivery: "now" }, /prompt\.options\.delivery: expected "queue" or "steer"/],
    ["permissions that are no list", { permissions: { bash: "deny" } }, /prompt\.options\.permissions: expected a list of rules, e\.g\./],
    ["a rule without an action", { permissions: [{ permission: "bash" }] }, /action.*must be "allow", "deny" or "ask"/],
    ["no steps", { maxSteps: 0 }, /prompt\.options\.maxSteps/],
    ["half a step", { maxSteps: 1.5 }, /prompt\.options\.maxSteps/],
    ["a controller instead of its signal", { abortSignal: new AbortController() }, /prompt\.options\.abortSignal: expected an AbortSignal/],
    ["a trace id that is no text", { traceID: 7 }, /prompt\.options\.traceID/],
  ])("%s is an InvalidArgumentError", async (_what, options, message) => {
    const { session } = await start([]);
    const error = thrown(() => session.prompt("Hi", asOptions(options)));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(message);
  });

  it("is none when it is undefined", async () => {
    const { session } = await start(() => [{ type: "text", text: "Fine." }]);
    const options = { id: undefined, model: undefined, delivery: undefined, abortSignal: undefined, permissions: undefined, maxSteps: undefined };
    expect((await session.prompt("Hi", options)).outcome).toBe("answered");
  });
});

describe("other wrong uses of a session", () => {
  it("a prompt on a closed session says how to open it again", async () => {
    const { session } = await start([]);
    await session.close();
    const error = thrown(() => session.prompt("Hi"));
    expect(error).toBeInstanceOf(SessionClosedError);
    expect(error.message).toContain(`agent.session("${session.id}")`);
  });

  it("abort, messages and on check their arguments", async () => {
    const { session } = await start([]);
    await expect(session.abort({ queue: "drop" as "keep" })).rejects.toThrow(/abort\.options\.queue: expected "keep" or "cancel"|abort\.options\.queue/);
    await expect(session.messages({ limit: 0 })).rejects.toThrow(/messages\.page\.limit/);
    await expect(session.messages({ limit: "all" as unknown as number })).rejects.toThrow(/messages\.page\.limit/);
    expect(() => session.on("part.delta", undefined as unknown as () => void)).toThrow(/on.listener: expected a function/);
    expect(() => session.on("part.deltas" as "part.delta", () => undefined)).toThrow(/there is no event "part.deltas".*part.delta,/);
  });

  it("a prompt for a model that the prompt names is sent to that model", async () => {
    const { session, model } = await start([]);
    const other = scriptedModel([{ type: "text", text: "I am the other." }], { modelId: "other" });
    const { text, messages } = await session.prompt("Hi", { model: other });
    expect(text).toBe("I am the other.");
    expect(messages[0]?.info).toMatchObject({ modelID: "other" });
    expect(model.calls).toBe(0);
  });
});
