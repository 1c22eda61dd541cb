import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { hasEnded, thisProcess } from "../../../src/storage/local/process-identity.ts";

describe("process identity", () => {
  it("knows that the asking process runs", () => {
    expect(hasEnded(thisProcess())).toBe(false);
  });

  it("knows that a process of this machine has ended", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    const { pid } = child;
    if (pid === undefined) throw new Error("The child was not started.");
    const { host } = thisProcess();
    expect(hasEnded({ host, pid })).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(hasEnded({ host, pid })).toBe(true);
  });

  it.runIf(process.platform === "linux")("tells a later process with the same id from the one that was meant", () => {
    expect(hasEnded({ ...thisProcess(), started: "1" })).toBe(true);
  });

  it("claims nothing of a process elsewhere, or of one that it cannot tell apart", () => {
    expect(hasEnded({ ...thisProcess(), host: "elsewhere" })).toBe(false);
    expect(hasEnded({ host: thisProcess().host, pid: process.pid })).toBe(false);
  });
});
