import type { WorkspaceSession } from "../workspace.ts";
import type { BashSettings } from "./bash-options.ts";

/** No terminal and nobody to answer: without these a command waits for a key, or draws for one that looks on. */
const unattended: Readonly<Record<string, string>> = { TERM: "dumb", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/**
 * The variables of a session's commands: what is inherited by name, what the host adds, and the session's own folder for
 * temporary files. All else of this process stays in it: it may hold keys.
 */
export async function commandEnvironment(session: WorkspaceSession, settings: BashSettings, temporary: string): Promise<Record<string, string>> {
  const added: unknown = typeof settings.env === "function" ? await settings.env(session) : settings.env;
  const environment: Record<string, string | undefined> = { ...unattended, TMPDIR: temporary };
  for (const name of settings.inheritEnv) environment[name] = process.env[name];
  // The host's function may be written without types.
  Object.assign(environment, added);
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (typeof value === "string" && !value.includes("\0") ? [[name, value]] : [])));
}
