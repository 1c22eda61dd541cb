export { analyzeCommand } from "./analyze-command.ts";
export { destructiveKinds } from "./destructive-commands.ts";
export type { DestructiveKind } from "./destructive-commands.ts";
export type { AnalyzeOptions, CommandAnalysis, CommandAtom, PathUse, ShellDialect } from "./command-analysis.ts";
