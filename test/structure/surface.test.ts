import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { entry } from "../../tsup.config.ts";

/** What each entry exports at run time. A name added here is a promise; a name removed is a breaking change. */
const surface: Record<string, string[]> = {
  "index.ts": [
    "Agent",
    "AgentClosedError",
    "AskNotFoundError",
    "AskRejectedError",
    "CompactionFailedError",
    "ConflictError",
    "DuplicateToolError",
    "InterruptedTurnError",
    "InvalidArgumentError",
    "InvalidToolError",
    "InvalidTransitionError",
    "LeaseLostError",
    "MissingPackageError",
    "NothingToResumeError",
    "Processor",
    "PromptNotFoundError",
    "QueueFullError",
    "Session",
    "SessionClosedError",
    "SessionNotFoundError",
    "StorageDamagedError",
    "StorageError",
    "StorageNewerError",
    "ThroughlineError",
    "Turn",
    "TurnAbortedError",
    "TurnFailedError",
    "createAgent",
    "createToolRegistry",
    "defineTool",
    "filterCompacted",
    "memoryStorage",
    "modelProfiles",
    "permissionRules",
    "profileFor",
    "toModelMessages",
    "toolStateTransitions",
    "validateModelMessages",
  ],
  "schema/index.ts": [
    "agentPartSchema",
    "askReplySchema",
    "askSchema",
    "assistantMessageSchema",
    "compactionPartSchema",
    "customPartSchema",
    "deliverySchema",
    "filePartSchema",
    "jsonObjectSchema",
    "jsonValueSchema",
    "messageErrorCodeSchema",
    "messageErrorSchema",
    "messageSchema",
    "modelOutputContentSchema",
    "modelOutputSchema",
    "modelRefSchema",
    "outcomeSchema",
    "outcomeTypeSchema",
    "partSchema",
    "patchPartSchema",
    "permissionActionSchema",
    "permissionRuleSchema",
    "providerMetadataSchema",
    "reasoningPartSchema",
    "retryPartSchema",
    "sessionInfoSchema",
    "sourcePartSchema",
    "stepFinishPartSchema",
    "stepStartPartSchema",
    "storedFormatSchema",
    "subtaskPartSchema",
    "textPartSchema",
    "todoSchema",
    "tokensSchema",
    "toolPartSchema",
    "toolStateCompletedSchema",
    "toolStateErrorSchema",
    "toolStatePendingSchema",
    "toolStateRunningSchema",
    "toolStateSchema",
    "userMessageSchema",
    "withPartsSchema",
  ],
  "storage/file/index.ts": ["fileStorage"],
  "storage/sqlite/index.ts": ["sqliteStorage"],
  "tools/shell/index.ts": ["analyzeCommand", "destructiveKinds"],
  "storage/postgres/index.ts": ["postgresStorage"],
  "tools/workspace/index.ts": ["createWorkspaceTools", "inheritedVariables", "notSecretFiles", "secretFiles", "workspaceFiles", "workspaceInstructions"],
  "testing/index.ts": [
    "CrashMatrixError",
    "CrashedError",
    "InvalidRequestError",
    "UnexpectedModelCallError",
    "UnusedRepliesError",
    "crashAfter",
    "crashMatrix",
    "faultyStorage",
    "manualClock",
    "reply",
    "scriptedModel",
    "storageConformance",
    "strictModel",
  ],
};

test.each(Object.entries(surface))("%s exports these names, and no others", async (file, names) => {
  const exported: unknown = await import(/* @vite-ignore */ new URL(`../../src/${file}`, import.meta.url).href);
  // A module is an object; the compiler cannot know which, by a computed path.
  expect(Object.keys(exported as object).sort()).toEqual(names);
});

test("every entry of the build has its names pinned here", () => {
  expect(Object.values(entry).sort()).toEqual(Object.keys(surface).map((file) => `src/${file}`).sort());
});

test("package.json exports what the build makes, types first", () => {
  const built = Object.keys(entry).map((name) => [
    name === "index" ? "." : `./${name.replace(/\/index$/, "")}`,
    [["types", `./dist/${name}.d.ts`], ["default", `./dist/${name}.js`]],
  ]);
  const { "./package.json": _manifest, ...exported } = manifest.exports;
  expect(Object.entries(exported).map(([path, conditions]) => [path, Object.entries(conditions)])).toEqual(built);
});
