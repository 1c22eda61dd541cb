import { constants } from "node:os";
import type { CommandEnd } from "./run-command.ts";

/** What exit codes mean to a shell: https://www.gnu.org/software/bash/manual/html_node/Exit-Status.html */
const codes: ReadonlyMap<number, string> = new Map([
  [1, "the command failed, or found nothing"],
  [2, "wrong use of a command, or a syntax error"],
  [124, "timeout ended the command"],
  [126, "the command is no program that may be run: its file is not executable, or a directory"],
  [127, "command not found: it is not installed, or misspelt"],
]);

const signals: ReadonlyMap<string, string> = new Map([
  ["SIGKILL", "killed, often because memory ran out"],
  ["SIGSEGV", "it crashed: wrong access to memory"],
  ["SIGABRT", "it ended itself as something was wrong"],
  ["SIGPIPE", "nobody read its output any more"],
  ["SIGTERM", "it was asked to end"],
  ["SIGINT", "it was interrupted"],
]);

/** How the command ended, and why, in words for the model; `undefined` when it went well. */
export function exitCause(end: CommandEnd, timeoutMs: number): string | undefined {
  switch (end.type) {
    case "exit":
      return end.code === 0 ? undefined : `exit code ${end.code} (${causeOf(end.code)})`;
    case "signal":
      return `ended by signal ${end.signal} (${signals.get(end.signal) ?? "another process sent it"})`;
    case "timeout":
      return `it did not end within ${timeoutMs} ms and was stopped, with all that it had started. Give a longer timeout, do less at once, or run it in the background with & and its output in a file`;
    case "aborted":
      return "it was stopped, as the turn was aborted";
    case "too much output":
      return "it was stopped, as its output filled the disk. Write less, or only what is needed";
    case "not started":
      return `it could not be started: ${end.error.message}`;
  }
}

function causeOf(code: number): string {
  const known = codes.get(code);
  if (known !== undefined) return known;
  const signal = code > 128 ? Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] : undefined;
  return signal === undefined ? "the command says so itself" : `signal ${signal}: ${signals.get(signal) ?? "another process sent it"}`;
}
