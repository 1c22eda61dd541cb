import { describe, expect, it } from "vitest";
import { InvalidArgumentError, memoryStorage } from "throughline";
import { manualClock, reply, scriptedModel, storageConformance, strictModel } from "throughline/testing";

/** Callers without types pass anything: that is what these tests are about. */
const any = (value: unknown): never => value as never;

describe("a wrong argument is refused at once, and named", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["memoryStorage", () => memoryStorage(any(5)), /memoryStorage\.options: expected an options object, got number/],
    ["memoryStorage's clock", () => memoryStorage({ clock: any(5) }), /memoryStorage\.options\.clock: expected an object/],
    ["a misspelt option of memoryStorage", () => memoryStorage(any({ clok: 1 })), /memoryStorage\.options\.clok: there is no such option/],
    ["manualClock", () => manualClock(any("x")), /manualClock\.start: expected a number, got "x"/],
    ["a clock's set", () => manualClock().set(any(undefined)), /set\.now: expected a number/],
    ["reply.text", () => reply.text(any(5)), /reply\.text\.text: expected a text, got number/],
    ["a misspelt option of reply.text", () => reply.text("Hi", any({ chunk: 2 })), /reply\.text\.options\.chunk: there is no such option\. There are: chunks/],
    ["reply.text's finish", () => reply.text("Hi", { finish: any("done") }), /reply\.text\.options\.finish: expected one of stop, length/],
    ["reply.reasoning", () => reply.reasoning(any(undefined)), /reply\.reasoning\.text: expected a text/],
    ["reply.toolCall", () => reply.toolCall(any(undefined)), /reply\.toolCall\.name: expected a text, got undefined/],
    ["reply.toolCall's options", () => reply.toolCall("echo", {}, any({ callID: "c" })), /reply\.toolCall\.options\.callID: there is no such option/],
    ["reply.file", () => reply.file("image/png", any(undefined)), /reply\.file\.data: expected a text/],
    ["reply.source", () => reply.source(any(undefined)), /reply\.source\.url: expected a text/],
    ["reply.finish", () => reply.finish(any("done")), /reply\.finish\.reason: expected one of stop, .*got "done"/],
    ["reply.usage", () => reply.usage(any(5)), /reply\.usage\.usage: expected an object/],
    ["reply.error's options", () => reply.error(new Error("x"), { inStream: any("yes") }), /reply\.error\.options\.inStream: expected one of throw, part/],
    ["reply.stall's options", () => reply.stall({ afterChunks: -1 }), /reply\.stall\.options\.afterChunks/],
    ["reply.cut's options", () => reply.cut(any({ after: 1 })), /reply\.cut\.options\.after: there is no such option/],
    ["reply.chunks", () => reply.chunks(any("abc")), /reply\.chunks\.parts: expected a list/],
    ["scriptedModel's options", () => scriptedModel([], any({ delay: 5 })), /scriptedModel\.options\.delay: there is no such option/],
    ["scriptedModel's delay", () => scriptedModel([], { delayMs: -1 }), /scriptedModel\.options\.delayMs: must be at least 0/],
    ["strictModel", () => strictModel(any(undefined)), /strictModel\.model: a model is required/],
    ["a model id for strictModel", () => strictModel(any("openai/gpt-5")), /strictModel\.model: expected a model object/],
    ["strictModel's profile", () => strictModel(scriptedModel([]), any({})), /strictModel\.profile: it lacks/],
    ["storageConformance", () => { storageConformance(any(undefined), any(undefined)); }, /storageConformance\.runner: expected \{ describe, it \}/],
    ["storageConformance's factory", () => { storageConformance({ describe, it }, any(memoryStorage())); }, /storageConformance\.factory: expected a function/],
    ["storageConformance's options", () => { storageConformance({ describe, it }, any(memoryStorage), any({ skp: {} })); }, /storageConformance\.options\.skp: there is no such option/],
  ])("%s", (_what, action, message) => {
    expect(action).toThrow(InvalidArgumentError);
    expect(action).toThrow(message);
  });
});
