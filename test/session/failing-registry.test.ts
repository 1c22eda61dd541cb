import { describe, expect, it } from "vitest";
import { createAgent, createToolRegistry, type ToolRegistry } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { echoTool } from "./session-under-test.ts";

/** A registry whose `list()` throws while `fails` says so, as one does that is a connection to somewhere else. */
function fallible(fails: () => boolean) {
  const inner = createToolRegistry({ echo: echoTool().echo });
  const list: ToolRegistry["list"] = () => {
    if (fails()) throw new Error("Not connected.");
    return inner.list();
  };
  const get = (target: ToolRegistry, key: PropertyKey): unknown => {
    const value: unknown = Reflect.get(target, key);
    return key === "list" ? list : typeof value === "function" ? (value.bind(target) as unknown) : value;
  };
  return new Proxy(inner, { get });
}

describe("a registry whose list() throws", () => {
  it("is asked again for the next session", async () => {
    let fails = true;
    const model = scriptedModel([reply.text("Hi.")]);
    const agent = createAgent({ model, tools: fallible(() => fails) });
    await expect(agent.session()).rejects.toThrow("Not connected.");
    fails = false;
    await (await agent.session()).prompt("Hi");
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["echo"]);
  });

  it("is asked again for the next prompt", async () => {
    let fails = false;
    const registry = fallible(() => fails);
    const model = scriptedModel(() => reply.text("Hi."));
    const session = await createAgent({ model, tools: registry }).session();
    registry.register("second", echoTool().echo);
    fails = true;
    expect(await session.prompt("1").settled).toMatchObject({ outcome: "error" });
    fails = false;
    await session.prompt("2");
    expect(model.requests.at(-1)?.tools?.map(({ name }) => name)).toEqual(["echo", "second"]);
  });
});
