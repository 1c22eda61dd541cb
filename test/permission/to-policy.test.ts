import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors.ts";
import type { PermissionRequest } from "../../src/permission/permission-policy.ts";
import { permissionRules } from "../../src/permission/permission-rules.ts";
import { toPolicy, type PermissionSource } from "../../src/permission/to-policy.ts";

const request: PermissionRequest = {
  sessionID: "ses_1",
  rootID: "ses_1",
  agent: "main",
  tool: "bash",
  permission: "bash",
  patterns: ["ls"],
  input: {},
  messageID: "msg_1",
  callID: "call_1",
};
const decide = async (source: PermissionSource) => toPolicy(source).decide(request);

describe("toPolicy", () => {
  it("takes rules, a policy, and functions of both kinds", async () => {
    expect(await decide([{ permission: "bash", action: "deny" }])).toMatchObject({ action: "deny" });
    expect(await decide(permissionRules([{ permission: "bash", action: "ask" }]))).toMatchObject({ action: "ask" });
    expect(await decide(({ tool }) => ({ action: tool === "bash" ? "deny" : "allow", reason: "no shell" }))).toEqual({ action: "deny", reason: "no shell" });
    expect(await decide(() => Promise.resolve("allow" as const))).toEqual({ action: "allow" });
  });

  it("decides at once when the source does", () => {
    expect(toPolicy(() => "allow").decide(request)).toEqual({ action: "allow" });
  });

  it("keeps a policy's methods on the policy", async () => {
    class Counting {
      #calls = 0;
      decide() {
        this.#calls += 1;
        return { action: "deny" as const, reason: `call ${this.#calls}` };
      }
      explain() {
        return [{ pattern: "ls", action: "deny" as const, reason: `after ${this.#calls}` }];
      }
    }
    const policy = toPolicy(new Counting());
    await policy.decide(request);
    expect(policy.explain?.(request)).toEqual([{ pattern: "ls", action: "deny", reason: "after 1" }]);
  });

  it.each([undefined, null, "yes", true, {}, { action: "maybe" }, Promise.resolve(undefined)])("denies for %s, which is no decision", async (answer) => {
    expect(await decide(() => answer as never)).toEqual({ action: "deny", reason: expect.stringContaining("no decision") as string });
  });

  it("denies when the source fails", async () => {
    const failure = { action: "deny", reason: expect.stringContaining("database down") as string };
    expect(await decide(() => Promise.reject(new Error("database down")))).toEqual(failure);
    expect(
      await decide(() => {
        throw new Error("database down");
      }),
    ).toEqual(failure);
  });

  it.each([undefined, null, "allow", { bash: "deny" }])("refuses %j", (source) => {
    expect(() => toPolicy(source as never)).toThrow(InvalidArgumentError);
  });
});
