import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createAgent } from "../../agent/create-agent.ts";
import type { Agent } from "../../agent/agent.ts";
import { InvalidArgumentError } from "../../errors.ts";
import type { IDSource } from "../../message/ids.ts";
import type { ModelProfile } from "../../message/model-profile.ts";
import type { ModelRef } from "../../message/model-ref.ts";
import { profileFor } from "../../message/profile-for.ts";
import type { Session } from "../../session/session.ts";
import type { Storage } from "../../storage/storage.ts";
import { isRegistry } from "../../tools/tool-registry.ts";
import type { ManualClock } from "../manual-clock.ts";
import { crashAfter, type CrashingStorage } from "../crash-after.ts";
import { interceptStorage, never } from "../intercept-storage.ts";
import { strictModel, type RequestViolation } from "../strict-model.ts";
import type { CrashContext, CrashPoint, CrashScenario } from "./crash-scenario.ts";
import type { Execution } from "./executions.ts";
import { witnessed } from "./executions.ts";
import { mortalClock, type MortalClock } from "./mortal-clock.ts";

/** One process, as far as it matters here: an agent with a clock and a storage that die with it. */
export interface ProcessImage {
  readonly context: CrashContext;
  readonly agent: Agent;
  /** The engine's clock. */
  readonly clock: MortalClock;
  readonly storage: CrashingStorage;
  readonly profile: ModelProfile;
  readonly model: ModelRef;
  readonly violations: readonly RequestViolation[];
  /** Grows whenever the process does something: asks its storage, calls its model, runs a tool. */
  activity(): number;
  /** Requests that the store has not answered yet. */
  underWay(): number;
  /** Milliseconds until the next timer, of the engine or of the scenario; `undefined` when none is open. */
  nextDueMs(): number | undefined;
  /** Nothing that it has begun goes on. */
  kill(): void;
}

export interface ImageOptions {
  scenario: CrashScenario;
  process: number;
  clock: ManualClock;
  /** The store, as it is. */
  storage: Storage;
  /** Where it dies; never when absent. */
  crash?: CrashPoint | undefined;
  witness(execution: Execution): void;
}

/** Starts a process. It does nothing yet. */
export function startProcess(options: ImageOptions): ProcessImage {
  const { scenario, process, crash } = options;
  const clock = mortalClock(options.clock);
  // Of its own: a tool that was aborted may leave its timers open, the engine may not.
  const scenarioClock = mortalClock(options.clock);
  const context: CrashContext = { clock: scenarioClock, process };
  let activity = 0;
  let underWay = 0;
  const counted = interceptStorage(options.storage, async (_request, next) => {
    activity += 1;
    underWay += 1;
    try {
      return await next();
    } finally {
      activity += 1;
      underWay -= 1;
    }
  });
  const storage = crashAfter(crash?.commit ?? Infinity, counted, { point: crash?.point });
  const { model: given, tools = {}, ...rest } = scenario.agent(context);
  if (typeof given === "string" || given.specificationVersion !== "v4") throw new InvalidArgumentError("crashMatrix.agent.model", "must be a model of specification v4, such as scriptedModel(…).");
  if (isRegistry(tools)) throw new InvalidArgumentError("crashMatrix.agent.tools", "must be a record of tools, whose executions can be counted.");
  const strict = strictModel(given, rest.profile);
  const agent = createAgent({
    ...rest,
    clock,
    storage,
    ids: countedIDs(process),
    model: mortalModel(strict, storage, () => (activity += 1)),
    tools: witnessed(tools, (execution) => {
      activity += 1;
      if (!storage.isCrashed) options.witness({ ...execution, process });
    }),
  });
  return {
    context,
    agent,
    clock,
    storage,
    profile: rest.profile ?? profileFor(given),
    model: { providerID: given.provider, modelID: given.modelId },
    violations: strict.violations,
    activity: () => activity,
    underWay: () => underWay,
    nextDueMs: () => {
      const dueMs = Math.min(clock.nextDueMs() ?? Infinity, scenarioClock.nextDueMs() ?? Infinity);
      return dueMs === Infinity ? undefined : dueMs;
    },
    kill() {
      clock.kill();
      scenarioClock.kill();
    },
  };
}

const sessionID = "ses_crash";

/** Opens the scenario's session, or makes it. */
export function openSession({ agent }: ProcessImage): Promise<Session> {
  return agent.session({ id: sessionID });
}

/** Whether two processes make the same ids must not matter, so they never do. */
function countedIDs(process: number): IDSource {
  let count = 0;
  return (prefix) => `${prefix}_${process}_${(count += 1)}`;
}

/** A model that a dead process gets no answer of. */
function mortalModel<Model extends LanguageModelV4>(model: Model, storage: CrashingStorage, onCall: () => void): Model {
  const called = <Answer>(call: () => PromiseLike<Answer>): PromiseLike<Answer> => {
    onCall();
    return storage.isCrashed ? never() : call();
  };
  // Inherits all other members, which Object.create cannot know.
  return Object.create(model, {
    doStream: { value: (call: Parameters<Model["doStream"]>[0]) => called(() => model.doStream(call)) },
    doGenerate: { value: (call: Parameters<Model["doGenerate"]>[0]) => called(() => model.doGenerate(call)) },
  }) as Model;
}
