import { spawn } from "node:child_process";
import { endGroup } from "./process-group.ts";
import type { OutputFile } from "./output-file.ts";

/** How a command ended. */
export type CommandEnd =
  | { type: "exit"; code: number }
  | { type: "signal"; signal: string }
  | { type: "timeout" }
  | { type: "aborted" }
  | { type: "too much output" }
  | { type: "not started"; error: Error };

export interface CommandRun {
  shell: string;
  script: string;
  directory: string;
  environment: Record<string, string>;
  output: OutputFile;
  timeoutMs: number;
  killGraceMs: number;
  maxOutputBytes: number;
  signal: AbortSignal;
  /** The group of processes that it runs in. */
  onStarted(this: void, group: number): void;
  /** There is new output. */
  onOutput(this: void, newest: string): void;
}

/** How often it is looked for new output. */
const outputPollMs = 200;

/** After an abort nobody waits longer than this. */
const abortGraceMs = 200;

/**
 * Runs a command in a process group of its own, and waits for the shell to end, not for what it has left in the background.
 * When its time is over, or the turn is aborted, the whole group is ended.
 */
export function runCommand(run: CommandRun): Promise<CommandEnd> {
  const { shell, script, directory, environment, output, signal } = run;
  if (signal.aborted) return Promise.resolve({ type: "aborted" });
  const { descriptor } = output;
  // A shell that reads start-up files would be another one than the rules were written for.
  const options = shell.endsWith("bash") ? ["--noprofile", "--norc"] : [];
  const child = spawn(shell, [...options, "-c", script], { cwd: directory, env: environment, detached: true, stdio: ["ignore", descriptor, descriptor] });
  const { pid } = child;
  if (pid !== undefined) run.onStarted(pid);
  return new Promise((resolve) => {
    let isEnding: CommandEnd | undefined;
    const stop = (end: CommandEnd, graceMs: number): void => {
      if (isEnding !== undefined || pid === undefined) return;
      isEnding = end;
      void endGroup(pid, graceMs).then(() => {
        settle(end);
      });
    };
    const onAbort = (): void => {
      stop({ type: "aborted" }, Math.min(abortGraceMs, run.killGraceMs));
    };
    const timer = setTimeout(() => {
      stop({ type: "timeout" }, run.killGraceMs);
    }, run.timeoutMs);
    const stopWatching = watchOutput(run, () => {
      stop({ type: "too much output" }, run.killGraceMs);
    });
    const settle = (end: CommandEnd): void => {
      clearTimeout(timer);
      stopWatching();
      signal.removeEventListener("abort", onAbort);
      resolve(end);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("error", (error) => {
      settle({ type: "not started", error });
    });
    child.once("exit", (code, killedBy) => {
      if (isEnding === undefined) settle(killedBy !== null ? { type: "signal", signal: killedBy } : { type: "exit", code: code ?? 0 });
    });
  });
}

/** Looks for new output from time to time: the file tells nobody. */
function watchOutput({ output, maxOutputBytes, onOutput }: CommandRun, onTooMuch: () => void): () => void {
  let seen = 0;
  let isLooking = false;
  const look = async (): Promise<void> => {
    const size = await output.size();
    if (size > maxOutputBytes) onTooMuch();
    if (size === seen) return;
    seen = size;
    onOutput(await output.newest());
  };
  const poll = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // The file is closed when the command has ended, perhaps while it is read.
    look().then(() => (isLooking = false), () => undefined);
  }, outputPollMs);
  return () => {
    clearInterval(poll);
  };
}
