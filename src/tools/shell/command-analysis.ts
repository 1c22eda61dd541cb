/** What a shell command would do, as far as that can be told without running it. */
export interface CommandAnalysis {
  /** Each simple command that it may run, wherever it stands: in chains, substitutions, functions, behind wrappers. */
  atoms: readonly CommandAtom[];
  /** Files and directories that it names. */
  paths: readonly PathUse[];
  /** Files that it writes by redirection. */
  written: readonly PathUse[];
  /** Directories that it changes to, in order; `undefined` where that is only known when it runs. */
  directories: readonly (PathUse | undefined)[];
  /** What could not be understood, in words for the person who is asked. Empty when every byte is accounted for. */
  unaccounted: readonly string[];
}

/** One simple command, e.g. `git push origin main`. */
export interface CommandAtom {
  /** Its words without quotes, joined by one space. Rules match this. */
  text: string;
  /** The rule that "always" saves, e.g. `git push *`: the words that say what kind of command it is. */
  always: string;
  /** A part of the text is only known when it runs: variables, substitutions, wildcards. */
  uncertain: boolean;
  /** What it would destroy, when it is on the list of destructive commands. */
  destructive?: string | undefined;
}

/** A path as the command names it. */
export interface PathUse {
  /** As it is written. */
  text: string;
  /** The path, also a relative one or one that begins with `~`; `undefined` when it is only known when the command runs. */
  path: string | undefined;
  /** It names a directory, or what is in it. */
  isDirectory: boolean;
}

/** How a shell reads a text: `sh` understands less, and some of it otherwise. */
export type ShellDialect = "bash" | "sh";

export interface AnalyzeOptions {
  /** The shell that will run it. Default `bash`. */
  dialect?: ShellDialect | undefined;
  /** Variables that are known beforehand, e.g. `HOME`: paths that begin with them are known, too. */
  variables?: Readonly<Record<string, string>> | undefined;
}
