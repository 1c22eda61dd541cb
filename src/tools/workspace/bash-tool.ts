import { randomUUID } from "node:crypto";
import { rm, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JSONObject, JSONValue } from "../../message/json.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import type { ToolContext } from "../tool-context.ts";
import { toBashSettings, type BashOptions, type BashSettings } from "./bash/bash-options.ts";
import { leaveForCommand, type CommandPlace } from "./bash/bash-leave.ts";
import { commandEnvironment } from "./bash/command-environment.ts";
import { exitCause } from "./bash/exit-cause.ts";
import { findShell } from "./bash/find-shell.ts";
import { OutputFile } from "./bash/output-file.ts";
import { runCommand, type CommandEnd } from "./bash/run-command.ts";
import { SessionPlaces } from "./bash/session-places.ts";
import type { PathGate } from "./paths/path-gate.ts";
import { PathRefusedError } from "./paths/path-refused-error.ts";
import { resolveLinks } from "./paths/resolve-links.ts";
import { isWithin } from "./paths/within.ts";
import type { WorkspaceSession } from "./workspace.ts";

export interface BashInput {
  command: string;
  timeout?: number | undefined;
  description?: string | undefined;
  workdir?: string | undefined;
}

export interface BashResult {
  title: string;
  output: string;
  metadata: JSONObject;
  state: JSONObject;
}

/** What tells where a session works. */
export interface GateOfSession {
  gate(session: WorkspaceSession): Promise<PathGate>;
}

function describe({ timeoutMs, maxTimeoutMs, shell }: BashSettings): string {
  return `Runs a command in ${shell.endsWith("bash") ? "bash" : "a POSIX shell"}. Use it for builds, tests, version control and programs of the machine; use read, write, edit, glob and grep for files, as they need less leave and say more.

- command: what to run. Chains, pipes and here-documents work. Nobody answers questions: its input is empty, so give options such as --yes.
- timeout: milliseconds after which it is stopped. Default ${timeoutMs}, at most ${maxTimeoutMs}.
- description: what it does, in five to ten words, for the person who is asked.
- workdir: the directory to run in. Default: where the last command that succeeded has left off, at first the workspace. Prefer it to cd.
- What comes back is what it wrote, both streams in order; of a long output the beginning and the end. A command that fails comes back as an error with its exit code and the end of its output. Variables that you export do not outlast the command; $TMPDIR is a folder of your own.
- A server or another long run goes to the background with & and its output into a file: it ends with the session.

Example: {"command": "npm test -- --run", "description": "Runs the tests", "timeout": 300000}`;
}

/**
 * `bash`: commands in a shell. Each simple command of a text is judged by the rules for `bash`; what cannot be accounted for is
 * asked, whatever they say. Needs the package `unbash` for that; without it every command is asked.
 *
 * @throws {InvalidArgumentError} an unknown option, or a value of the wrong type
 */
export function createBashTool(workspace: GateOfSession, options: BashOptions = {}): Tool<BashInput, BashResult> {
  const settings = toBashSettings("createWorkspaceTools.bash", options, findShell);
  const places = new SessionPlaces();
  return defineTool<BashInput, BashResult>({
    title: "Bash",
    description: describe(settings),
    input: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "The command to run" },
        timeout: { type: "integer", minimum: 1, maximum: settings.maxTimeoutMs, description: `Milliseconds. Default ${settings.timeoutMs}` },
        description: { type: "string", description: "What it does, in five to ten words" },
        workdir: { type: "string", description: "The directory to run in" },
      },
      required: ["command"],
      additionalProperties: false,
    },
    // Its own limit is reached first, so that the model reads what had come until then.
    timeoutMs: settings.maxTimeoutMs + settings.killGraceMs + 10_000,
    defaultAction: "ask",
    async permission(input, context) {
      const place = await placeOf(input, context, { workspace, settings, places });
      const { title = input.command, impact, ...leave } = await leaveForCommand(input.command, place);
      const told = [input.description, impact].filter((text) => text !== undefined);
      return { ...leave, title, ...(told.length > 0 && { impact: told.join("\n") }) };
    },
    async execute(input, context) {
      return run(input, context, { workspace, settings, places });
    },
    onSessionRemoved: ({ sessionID }) => places.remove(sessionID, settings.killGraceMs),
    onClose: () => places.removeAll(settings.killGraceMs),
    examples: [{ command: "git status --short", description: "Shows what has changed" }],
  });
}

/** What the tool's functions share. */
interface BashTools {
  workspace: GateOfSession;
  settings: BashSettings;
  places: SessionPlaces;
}

async function placeOf({ workdir }: BashInput, context: WorkspaceSession & { state?: JSONValue | undefined }, { workspace, settings, places }: BashTools): Promise<CommandPlace> {
  const { sessionID, directory } = context;
  const gate = await workspace.gate({ sessionID, directory });
  const temporary = places.folderOf(sessionID);
  const current = await currentDirectory(context.state, gate, temporary);
  const home = homedir();
  const asked = workdir?.replace(/^~(?=\/|$)/, home);
  const wanted = asked === undefined ? current : asked.startsWith("/") ? asked : `${current}/${asked}`;
  return { gate, directory: (await resolveLinks(wanted)).real, temporary, home, shell: settings.shell };
}

/** Where the last command left off; the workspace where that is gone, or was never in it. */
async function currentDirectory(state: JSONValue | undefined, gate: PathGate, temporary: string): Promise<string> {
  const kept = typeof state === "object" && state !== null && !Array.isArray(state) ? state["directory"] : undefined;
  if (typeof kept !== "string") return gate.root;
  const { real, missing } = await resolveLinks(kept);
  return missing === 0 && [gate.root, ...gate.extraRoots, temporary].some((root) => isWithin(root, real)) ? real : gate.root;
}

async function run(input: BashInput, context: ToolContext, tools: BashTools): Promise<BashResult> {
  const { command, timeout } = input;
  const { settings, places } = tools;
  const { sessionID } = context;
  if (command.includes("\0")) throw new PathRefusedError("The command contains a NUL character, which no shell takes. Write it without one.");
  const place = await placeOf(input, context, tools);
  const temporary = await places.makeFolder(sessionID);
  const id = randomUUID();
  const output = await OutputFile.create(join(temporary, `output-${id}.txt`));
  const leftOff = join(temporary, `directory-${id}`);
  const timeoutMs = Math.min(timeout ?? settings.timeoutMs, settings.maxTimeoutMs);
  let group: number | undefined;
  try {
    const end = await runCommand({
      shell: settings.shell,
      script: `trap ${quoted(`pwd -P > ${quoted(leftOff)}`)} EXIT; ${command}`,
      directory: place.directory,
      environment: await commandEnvironment({ sessionID, directory: context.directory }, settings, temporary),
      output,
      timeoutMs,
      killGraceMs: settings.killGraceMs,
      maxOutputBytes: settings.maxOutputBytes,
      signal: context.abortSignal,
      onStarted: (started) => {
        group = started;
        places.addGroup(sessionID, started);
      },
      onOutput: (newest) => {
        context.progress({ metadata: { output: newest } });
      },
    });
    const hasLeftProcesses = group !== undefined && places.endOfCommand(sessionID, group);
    const { text, isWhole, size } = await output.text();
    if (isWhole && !hasLeftProcesses) await rm(output.path, { force: true });
    const cause = exitCause(end, timeoutMs);
    if (cause !== undefined) throw new CommandFailedError(cause, text, end);
    const directory = await directoryAfter(leftOff, place);
    return {
      title: input.description ?? command,
      output: [text === "" ? "(It succeeded, and wrote nothing.)" : text, ...notes(directory, hasLeftProcesses, place)].join("\n"),
      metadata: { exitCode: 0, bytes: size, directory, ...(!isWhole && { outputPath: output.path }) },
      state: { directory },
    };
  } finally {
    await output.close();
    await rm(leftOff, { force: true });
  }
}

async function directoryAfter(file: string, { directory }: CommandPlace): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.replace(/\n$/, "") || directory;
}

function notes(directory: string, hasLeftProcesses: boolean, { gate, temporary }: CommandPlace): string[] {
  const isInside = [gate.root, ...gate.extraRoots, temporary].some((root) => isWithin(root, directory));
  return [
    ...(hasLeftProcesses ? ["(It left processes running in the background. They end with the session.)"] : []),
    ...(isInside ? [] : [`(${directory} is outside of the workspace: the next command runs in ${gate.root} again, unless it has a workdir.)`]),
  ];
}

/** How much of the output of a command that failed the model reads: its end says what was wrong. */
const shownOfFailure = 8_000;

/** A command that did not succeed. Its message is written for the model: how it ended, why, and the last that it wrote. */
class CommandFailedError extends Error {
  override readonly name = "CommandFailedError";
  readonly end: CommandEnd;

  constructor(cause: string, output: string, end: CommandEnd) {
    const shown = output.length > shownOfFailure ? `[…]\n${output.slice(-shownOfFailure).replace(/^[\udc00-\udfff]/, "")}` : output;
    super(`The command failed: ${cause}.\n${shown.trim() === "" ? "It wrote nothing." : `The last that it wrote:\n${shown}`}`);
    this.end = end;
  }
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
