import { describe, expect, it } from "vitest";
import { defineTool, memoryStorage } from "throughline";
import { manualClock, reply } from "throughline/testing";
import { z } from "zod";
import { intercepted } from "../adversarial/faulty-storage.ts";
import { echoTool, start, textsIn } from "./session-under-test.ts";

/** Writes over every text that it can reach. */
function deface(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "string") deface(inner);
    else if (key !== "type" && key !== "role" && !key.startsWith("tool")) Object.assign(value, { [key]: "DEFACED" });
  }
}

describe("what a model was shown is final", () => {
  it("whatever a tool does with the messages that it gets", async () => {
    const { echo } = echoTool();
    const meddle = defineTool({
      description: "Changes what it can.",
      input: z.object({}),
      execute(_input, { messages }) {
        deface(messages);
        return "done";
      },
    });
    const script = [reply.toolCall("echo", { text: "a" }), [reply.reasoning("Hm.", { signature: "sig" }), reply.toolCall("meddle")], reply.text("One."), reply.text("Two.")];
    const test = await start(script, { tools: { echo, meddle } });
    await test.session.prompt([{ type: "text", text: "Look." }, { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" }]);
    await test.session.prompt("Again.");
    expect(JSON.stringify(test.model.requests)).not.toContain("DEFACED");
  });

  it("whatever a caller does with a result", async () => {
    const test = await start([reply.text("One."), reply.text("Two.")]);
    const first = test.session.prompt("1");
    const second = test.session.prompt("2");
    for (const message of (await first).messages) message.parts.length = 0;
    await second;
    expect(textsIn(test.model.requests[1])).toContain("assistant: One.");
  });

  it("whatever a policy does with the input that it judges", async () => {
    const { echo, runs } = echoTool();
    const permissions = ({ input }: { input: object }) => {
      try {
        Object.assign(input, { text: "DEFACED" });
      } catch {
        // It is frozen.
      }
      return "allow" as const;
    };
    const test = await start([reply.toolCall("echo", { text: "a" }), reply.text("Done.")], { tools: { echo }, permissions });
    await test.session.prompt("Hi");
    expect(JSON.stringify(test.model.requests[1])).not.toContain("DEFACED");
    expect(runs).toEqual(["a"]);
  });
});

it("the transcript is read once, and converted no more than is new", async () => {
  let reads = 0;
  const clock = manualClock();
  const storage = intercepted(memoryStorage({ clock }), (method, next) => {
    if (method === "listMessages") reads += 1;
    return next();
  });
  const test = await start(() => reply.text("One."), { clock, storage });
  for (let count = 0; count < 5; count += 1) await test.session.prompt("Hi");
  expect(reads).toBe(1);
  expect(test.model.requests).toHaveLength(5);
});
