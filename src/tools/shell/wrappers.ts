/** How a command that runs another one is written: `timeout [options] <limit> <command>`. */
export interface Wrapper {
  /** Options that stand alone. A single-letter one may be joined with others. */
  flags?: readonly string[] | undefined;
  /** Options that take a value: the rest of the word, the part after `=`, or the next word. */
  values?: readonly string[] | undefined;
  /** Words before the command that are not part of it. */
  operands?: number | undefined;
  /** Assignments may stand before the command. */
  assignments?: boolean | undefined;
  /** Options with a number as their name: `nice -10`. */
  numbers?: boolean | undefined;
  /** With one of these it runs no other command. */
  ends?: readonly string[] | undefined;
  /** The words are joined and read by a shell again. */
  joins?: boolean | undefined;
  /** Further arguments come from its input. */
  appends?: boolean | undefined;
}

/** By name. An option that is not listed makes the command one that cannot be accounted for. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["builtin", {}],
  ["command", { flags: ["-p"], ends: ["-v", "-V"] }],
  ["exec", { flags: ["-c", "-l"], values: ["-a"] }],
  ["env", { flags: ["-", "-i", "-0", "-v", "--ignore-environment", "--null", "--debug"], values: ["-u", "--unset", "-C", "--chdir"], assignments: true }],
  ["nohup", {}],
  ["setsid", { flags: ["-c", "-f", "-w", "--ctty", "--fork", "--wait"] }],
  ["nice", { values: ["-n", "--adjustment"], numbers: true }],
  ["ionice", { flags: ["-t", "--ignore"], values: ["-c", "-n", "--class", "--classdata"] }],
  ["chrt", { flags: ["-b", "-f", "-i", "-o", "-r"], operands: 1 }],
  ["taskset", { flags: ["-c", "--cpu-list"], operands: 1 }],
  ["time", { flags: ["-p", "-v", "-a", "--portability", "--verbose", "--append"], values: ["-f", "-o", "--format", "--output"] }],
  ["timeout", { flags: ["-v", "--foreground", "--preserve-status", "--verbose"], values: ["-k", "-s", "--kill-after", "--signal"], operands: 1 }],
  ["gtimeout", { flags: ["-v", "--foreground", "--preserve-status", "--verbose"], values: ["-k", "-s", "--kill-after", "--signal"], operands: 1 }],
  ["stdbuf", { values: ["-i", "-o", "-e", "--input", "--output", "--error"] }],
  ["unbuffer", { flags: ["-p"] }],
  ["caffeinate", { flags: ["-d", "-i", "-m", "-s", "-u"], values: ["-t", "-w"] }],
  ["chronic", { flags: ["-v", "-e"] }],
  ["doas", { flags: ["-n"], values: ["-u"] }],
  [
    "sudo",
    {
      flags: ["-A", "-b", "-E", "-H", "-n", "-P", "-S", "--askpass", "--background", "--preserve-env", "--set-home", "--non-interactive", "--stdin"],
      values: ["-g", "-p", "-u", "-C", "--group", "--prompt", "--user"],
      assignments: true,
    },
  ],
  [
    "xargs",
    {
      flags: ["-0", "-p", "-r", "-t", "-x", "-o", "--null", "--interactive", "--no-run-if-empty", "--verbose", "--exit", "--open-tty"],
      values: ["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s", "--arg-file", "--delimiter", "--max-lines", "--max-args", "--max-procs", "--max-chars"],
      appends: true,
    },
  ],
  ["watch", { flags: ["-b", "-c", "-d", "-e", "-g", "-p", "-t", "-w", "--beep", "--color", "--errexit", "--chgexit", "--precise", "--no-title", "--no-wrap"], values: ["-n", "--interval"], joins: true }],
]);

/** They run other commands in ways that no table can tell: elsewhere, later, or by a language of their own. */
export const unknownRunners: ReadonlySet<string> = new Set([
  "ssh", "parallel", "su", "runuser", "pkexec", "chroot", "unshare", "nsenter", "systemd-run", "at", "batch", "script", "flock", "strace", "ltrace", "gdb", "expect", "screen", "tmux",
  "busybox", "toybox", "start-stop-daemon", "coproc", "rlwrap", "setarch", "linux32", "linux64", "firejail", "bwrap", "proot", "fakeroot", "entr", "watchexec", "nodemon",
]);

/** Shells: `-c` gives them a command, and without a file they read one from their input. */
export const shells: ReadonlySet<string> = new Set(["bash", "sh", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash", "pwsh", "powershell"]);

/** Of these the grammar is the parser's. */
export const dialects: ReadonlyMap<string, "bash" | "sh"> = new Map([["bash", "bash"], ["rbash", "bash"], ["sh", "sh"], ["dash", "sh"], ["ash", "sh"]]);
