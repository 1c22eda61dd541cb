export { createWorkspaceTools } from "./create-workspace-tools.ts";
export type { WorkspaceTools, WorkspaceToolsOptions } from "./create-workspace-tools.ts";
export { notSecretFiles, secretFiles } from "./paths/secret-files.ts";
export type { WorkspaceRoot, WorkspaceSession } from "./workspace.ts";
