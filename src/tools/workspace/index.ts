export type { BashInput, BashResult } from "./bash-tool.ts";
export { inheritedVariables } from "./bash/bash-options.ts";
export type { BashOptions, CommandVariables } from "./bash/bash-options.ts";
export { createWorkspaceTools } from "./create-workspace-tools.ts";
export type { WorkspaceTools, WorkspaceToolsOptions } from "./create-workspace-tools.ts";
export { notSecretFiles, secretFiles } from "./paths/secret-files.ts";
export type { WorkspaceRoot, WorkspaceSession } from "./workspace.ts";
