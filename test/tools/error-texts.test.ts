import { describe, expect, it } from "vitest";
import {
  cutByOutputLimitText,
  deniedText,
  noAnswerText,
  notRunText,
  toolAbortedText,
  toolInterruptedText,
  toolNotStartedText,
  toolThrewText,
  toolTimedOutText,
  toolWithheldText,
  unknownToolText,
} from "../../src/tools/error-texts.ts";

describe("unknownToolText", () => {
  it("names close tools and all that are available", () => {
    expect(unknownToolText("raed", ["read", "write"])).toBe('There is no tool named "raed". Did you mean "read"? Available tools: read, write.');
  });

  it("offers nothing close when nothing is", () => {
    expect(unknownToolText("nope", ["read"])).toBe('There is no tool named "nope". Available tools: read.');
  });

  it("says so when there are no tools", () => {
    expect(unknownToolText("read", [])).toContain("No tools are available");
  });

  it("stays short for any name and any number of tools", () => {
    const many = Array.from({ length: 5000 }, (_, index) => `tool_${index}`);
    expect(unknownToolText("x".repeat(100_000), many).length).toBeLessThan(2000);
    expect(unknownToolText("x", many)).toContain("and 4900 more");
  });
});

describe("toolThrewText", () => {
  it.each<[unknown, string]>([
    [new Error("disk full"), "disk full"],
    [new Error("outer", { cause: new Error("inner", { cause: "root" }) }), "outer (cause: inner (cause: root))"],
    [new TypeError(""), "TypeError"],
    ["plain text", "plain text"],
    [{ code: 5 }, '{"code":5}'],
    [undefined, "null"],
  ])("for %s ends in %s", (error, expected) => {
    expect(toolThrewText("read", error)).toBe(`Tool "read" failed: ${expected}`);
  });

  it("survives an error that cannot be read", () => {
    const hostile = Object.defineProperty(new Error("x"), "message", { get: () => { throw new Error("hostile"); } });
    expect(toolThrewText("read", hostile)).toContain("an error that cannot be read");
  });

  it("ends for errors that cause each other", () => {
    const error = new Error("loop");
    error.cause = error;
    expect(toolThrewText("read", error).length).toBeLessThan(200);
  });
});

describe("deniedText", () => {
  it("names the rule", () => {
    expect(deniedText("bash", { rule: { permission: "bash", pattern: "git push*", action: "deny" } })).toContain(
      'by the rule {"permission":"bash","pattern":"git push*","action":"deny"}',
    );
  });

  it("gives the policy's reason", () => {
    expect(deniedText("bash", { reason: "Not on Fridays." })).toMatch(/is not permitted\. Not on Fridays\.\nDo not try/);
  });
});

describe("every other text", () => {
  it.each([
    toolTimedOutText("read", 60_000),
    toolAbortedText("read"),
    toolNotStartedText("read"),
    toolInterruptedText("read"),
    toolWithheldText("read"),
    noAnswerText("read"),
    cutByOutputLimitText("read"),
    notRunText("read", "content-filter"),
  ])("names the tool and what happened: %s", (text) => {
    expect(text).toMatch(/^Tool "read" was (stopped|not run|interrupted)/);
  });

  it("says how long was waited", () => {
    expect(toolTimedOutText("read", 60_000)).toContain("60000 ms");
  });
});
