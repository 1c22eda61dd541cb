import { basename, isAbsolute } from "node:path";
import { InvalidArgumentError } from "../../../errors.ts";
import { anyText, checkOptions, list, milliseconds, positiveInteger, type OptionCheck } from "../../../util/check-options.ts";
import type { ShellDialect } from "../../shell/command-analysis.ts";
import type { WorkspaceSession } from "../workspace.ts";

/** Variables of a command, by name. `undefined` takes one away that would be there by default. */
export type CommandVariables = Readonly<Record<string, string | undefined>>;

export interface BashOptions {
  /** Further variables for commands, e.g. `{ NODE_ENV: "test" }`, or a function of the session. They are not looked through for secrets. */
  env?: CommandVariables | ((session: WorkspaceSession) => CommandVariables | Promise<CommandVariables>) | undefined;
  /** Names of variables of this process that commands get. Default: those that tell who and where one is, and no secrets. */
  inheritEnv?: readonly string[] | undefined;
  /** Path of a `bash`, or of a shell that reads as `sh` does. Default: `bash` where there is one, else `/bin/sh`. */
  shell?: string | undefined;
  /** Milliseconds that a command may take when the model does not say. Default 120,000. */
  timeoutMs?: number | undefined;
  /** Most milliseconds that the model may give a command. Default 600,000. */
  maxTimeoutMs?: number | undefined;
  /** Milliseconds between asking processes to end (SIGTERM) and ending them (SIGKILL). Default 2,000. */
  killGraceMs?: number | undefined;
  /** Bytes of output at which a command is ended, as it fills the disk. Default 1 GiB. */
  maxOutputBytes?: number | undefined;
}

/** The options with their defaults. */
export type BashSettings = Required<{ [Name in keyof BashOptions]: Exclude<BashOptions[Name], undefined> }>;

/** The variables that commands get by default: none of them holds a secret, unless somebody put one into a path. */
export const inheritedVariables: readonly string[] = [
  "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_COLLATE", "LC_NUMERIC", "LC_TIME", "TZ", "SYSTEMROOT", "JAVA_HOME", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "VOLTA_HOME",
  "PYENV_ROOT", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR", "VIRTUAL_ENV", "CONDA_PREFIX",
];

/** @throws {InvalidArgumentError} an unknown option, or a value of the wrong type */
export function toBashSettings(argument: string, options: BashOptions, findShell: () => string): BashSettings {
  checkOptions(argument, options, { env: variables, inheritEnv: names, shell, timeoutMs: milliseconds, maxTimeoutMs: milliseconds, killGraceMs: milliseconds, maxOutputBytes: positiveInteger });
  const { env = {}, inheritEnv = inheritedVariables, timeoutMs = 120_000, killGraceMs = 2_000, maxOutputBytes = 1024 ** 3 } = options;
  return { env, inheritEnv, shell: options.shell ?? findShell(), timeoutMs, maxTimeoutMs: options.maxTimeoutMs ?? Math.max(600_000, timeoutMs), killGraceMs, maxOutputBytes };
}

/** How the shell reads a command; `undefined` for one whose grammar nobody here knows. */
export function dialectOf(shellPath: string): ShellDialect | undefined {
  const name = basename(shellPath).replace(/\.exe$/i, "");
  if (name === "bash") return "bash";
  return name === "sh" || name === "dash" || name === "ash" ? "sh" : undefined;
}

const variables: OptionCheck = (value, argument) => {
  if (typeof value !== "function" && (typeof value !== "object" || value === null)) throw new InvalidArgumentError(argument, "expected an object of variables, or a function of the session that returns one.");
};

const names: OptionCheck = (value, argument) => {
  list(value, argument);
  // list has checked that it is one.
  for (const [index, name] of (value as unknown[]).entries()) anyText(name, `${argument}[${index}]`);
};

const shell: OptionCheck = (value, argument) => {
  if (typeof value !== "string" || !isAbsolute(value) || dialectOf(value) === undefined) {
    throw new InvalidArgumentError(argument, "expected the absolute path of bash, sh, dash or ash: permission rules read commands as these do.");
  }
};
