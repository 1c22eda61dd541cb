import { InvalidArgumentError } from "../../errors.ts";
import { anyText, checkOptions, list, type OptionCheck } from "../../util/check-options.ts";
import type { Tool } from "../tool.ts";
import { createBashTool, type BashInput, type BashResult } from "./bash-tool.ts";
import type { BashOptions } from "./bash/bash-options.ts";
import { createEditTool, type EditInput } from "./edit-tool.ts";
import { createFetchTool, type FetchInput, type FetchOptions, type FetchResult } from "./fetch-tool.ts";
import type { FileResult } from "./file-result.ts";
import { createGlobTool, type GlobInput } from "./glob-tool.ts";
import { createGrepTool, type GrepInput } from "./grep-tool.ts";
import { createListTool, type ListInput } from "./list-tool.ts";
import { secretFiles, secretTest } from "./paths/secret-files.ts";
import { createReadTool, type ReadInput } from "./read-tool.ts";
import { Workspace, type WorkspaceRoot } from "./workspace.ts";
import { createWriteTool, type WriteInput } from "./write-tool.ts";

export interface WorkspaceToolsOptions {
  /** The folder that sessions work in: an absolute path, or a function of the session, called for each call of a tool. */
  root: WorkspaceRoot;
  /** Further folders that need no leave besides the tools' own, e.g. a shared library. Absolute paths. */
  extraRoots?: readonly string[] | undefined;
  /** Names of files that no file tool touches, as globs. Default: {@link secretFiles}. `[]` lifts it. */
  secrets?: readonly string[] | undefined;
  /** How commands run. `false` leaves the tool out. */
  bash?: BashOptions | false | undefined;
  /** Turns on the tool that fetches pages of the web, e.g. `{}`. Default false. */
  fetch?: FetchOptions | false | undefined;
  /** The ripgrep program, which makes `grep` faster where it is. Default `rg`, as found on the path; `false` does without. */
  ripgrep?: string | false | undefined;
}

/**
 * The tools of a workspace, by the names that models know from OpenCode: those for files, `bash` unless its option is false, and
 * `fetch` with its options. A tool that may be absent is no field, as a record of tools has none that is `undefined`.
 */
export type WorkspaceTools<Options extends WorkspaceToolsOptions = WorkspaceToolsOptions> = FileTools &
  (Options extends { bash: false } ? unknown : { bash: Tool<BashInput, BashResult> }) &
  (Options extends { fetch: FetchOptions } ? { fetch: Tool<FetchInput, FetchResult> } : unknown);

// An alias, not an interface: only so it fits where a record of tools is wanted.
type FileTools = {
  read: Tool<ReadInput, FileResult>;
  list: Tool<ListInput, FileResult>;
  glob: Tool<GlobInput, FileResult>;
  grep: Tool<GrepInput, FileResult>;
  write: Tool<WriteInput, FileResult>;
  edit: Tool<EditInput, FileResult>;
};

/**
 * Tools for an agent that works on files: they touch what is in the root, and ask before they go elsewhere
 * (`external_directory`) or change anything (`edit`). One "always" covers all of the root for the session.
 *
 * @throws {InvalidArgumentError} an unknown option, or a value of the wrong type
 *
 * @example
 * const agent = createAgent({ model, tools: createWorkspaceTools({ root: "/srv/project" }) })
 * const perSession = createWorkspaceTools({ root: ({ directory }) => directory ?? "/srv/project" })
 */
export function createWorkspaceTools<const Options extends WorkspaceToolsOptions>(options: Options): WorkspaceTools<Options>;
export function createWorkspaceTools(options: WorkspaceToolsOptions): FileTools & { bash?: Tool<BashInput, BashResult>; fetch?: Tool<FetchInput, FetchResult> } {
  checkOptions("createWorkspaceTools.options", options, { root, extraRoots: texts, secrets: texts, ripgrep, bash: optionsOrFalse, fetch: optionsOrFalse }, ["root"]);
  const workspace = new Workspace({ root: options.root, extraRoots: options.extraRoots ?? [], isSecret: secretTest(options.secrets ?? secretFiles) });
  return {
    read: createReadTool(workspace),
    list: createListTool(workspace),
    glob: createGlobTool(workspace),
    grep: createGrepTool(workspace, options.ripgrep ?? "rg"),
    write: createWriteTool(workspace),
    edit: createEditTool(workspace),
    ...(options.bash !== false && { bash: createBashTool(workspace, options.bash) }),
    ...(options.fetch !== undefined && options.fetch !== false && { fetch: createFetchTool(options.fetch) }),
  };
}

const root: OptionCheck = (value, argument) => {
  if (typeof value === "function") return;
  if (typeof value !== "string" || value === "") throw new InvalidArgumentError(argument, "expected the absolute path of a folder, or a function of the session that returns one.");
};

/** The tool checks what is in it. */
const optionsOrFalse: OptionCheck = (value, argument) => {
  if (value !== false && (typeof value !== "object" || value === null)) throw new InvalidArgumentError(argument, "expected the options of the tool, or false.");
};

const ripgrep: OptionCheck = (value, argument) => {
  if (value !== false && (typeof value !== "string" || value === "")) throw new InvalidArgumentError(argument, "expected the path of the program, or false.");
};

const texts: OptionCheck = (value, argument) => {
  list(value, argument);
  // list has checked that it is one.
  for (const [index, item] of (value as unknown[]).entries()) anyText(item, `${argument}[${index}]`);
};
