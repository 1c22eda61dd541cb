import type { ContextLimitsOption, SessionCompactionOptions } from "./compaction/compaction-options.ts";
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Budget } from "../message/budget.ts";
import type { IDSource } from "../message/ids.ts";
import type { ModelProfile } from "../message/model-profile.ts";
import type { Prices } from "../model/cost.ts";
import type { LanguageModel } from "../model/language-model.ts";
import type { PermissionPolicy } from "../permission/permission-policy.ts";
import type { Storage } from "../storage/storage.ts";
import type { TextLimits } from "../tools/truncate-text.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { AskSettings } from "./asks/ask-options.ts";
import type { Timeouts } from "./defaults.ts";
import type { SessionEvent, SessionEventType } from "./events.ts";
import type { ResolveFile } from "./prompt/resolve-file.ts";
import type { RetrySettings } from "./retry/retry-options.ts";
import type { CallSettings } from "./step/process-input.ts";

/** What a function of instructions is told. */
export interface InstructionsContext {
  sessionID: string;
  directory?: string | undefined;
}

/** What the model is told before the conversation. A function is called once per session and its text kept. */
export type Instructions = string | readonly string[] | ((context: InstructionsContext) => string | readonly string[] | Promise<string | readonly string[]>);

/** What an agent gives to its sessions: its options, checked and completed. Nothing in it changes. */
export interface AgentContext {
  name: string;
  model: LanguageModel;
  fallbackModels: readonly LanguageModel[];
  instructions: Instructions | undefined;
  tools: ToolRegistry;
  policy: PermissionPolicy;
  storage: Storage;
  settings: CallSettings;
  providerOptions: SharedV4ProviderOptions | undefined;
  maxSteps: number;
  budget: Budget | undefined;
  retry: RetrySettings;
  /** Most prompts that wait in a session here. */
  maxQueued: number;
  timeouts: Timeouts;
  leases: { ttlMs: number; pollMs: number };
  toolConcurrency: number;
  /** How much of an output a model is shown, and how many whole ones a session keeps. */
  toolOutput: { limits: TextLimits; keep: number };
  /** How many turns run at once, over all sessions. */
  turnConcurrency: number;
  asks: AskSettings;
  compaction: SessionCompactionOptions;
  contextLimits: ContextLimitsOption | undefined;
  /** Whether requests are compared with the ones before them. */
  checkPrefix: boolean;
  prices: Prices | undefined;
  profile: ModelProfile | undefined;
  /** Reads the `file:` parts of prompts. */
  resolveFile: ResolveFile | undefined;
  clock: Clock;
  ids: IDSource;
  logger: Logger | undefined;
  /** Whether an interrupted turn goes on by itself. */
  resume: "manual" | "auto";
  /** Names this agent as the owner of leases. */
  owner: string;
  /** Hears the events of all sessions. */
  publish(event: SessionEvent): void;
  /** Whether anybody listens to such events of all sessions. */
  hears(type: SessionEventType): boolean;
  /** Whether the agent was closed: it opens no session again. */
  isClosed(): boolean;
  /** A session was closed or removed: it is no longer this agent's. */
  onSessionClosed(sessionID: string): void;
}
