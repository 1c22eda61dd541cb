export { createWorkspaceTools } from "./create-workspace-tools.ts";
export type { WorkspaceTools, WorkspaceToolsOptions } from "./create-workspace-tools.ts";
export { notSecretFiles, secretFiles } from "./paths/secret-files.ts";
export type { WorkspaceRoot, WorkspaceSession } from "./workspace.ts";
export { workspaceFiles } from "./workspace-files.ts";
export type { WorkspaceFilesOptions } from "./workspace-files.ts";
export { workspaceInstructions } from "./workspace-instructions.ts";
export type { WorkspaceInstructionsOptions } from "./workspace-instructions.ts";
