import { ThroughlineError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { Storage } from "../../storage/storage.ts";
import { manualClock } from "../manual-clock.ts";
import { CommitWitness } from "./commit-witness.ts";
import type { CrashPoint, CrashScenario } from "./crash-scenario.ts";
import { executionProblems, type Execution } from "./executions.ts";
import { letRun, type RunLimits } from "./let-run.ts";
import { openSession, startProcess, type ProcessImage } from "./process-image.ts";
import { readStored, requestProblems, storedProblems } from "./stored-problems.ts";

/** One life of a session, over as many processes as it took. */
export interface Life {
  problems: string[];
  /** How often the last process has committed. */
  commits: number;
  /** Prompts that were accepted. */
  accepted: ReadonlySet<string>;
  /** What the scenario calls its result, as JSON; absent when it says none. */
  result?: string | undefined;
}

/** Any time will do; not 0, which would hide what is never set. */
const startTime = 1_700_000_000_000;
/** A dead process is missed after this time, unless the agent says otherwise. */
const defaultTtlMs = 30_000;

/** Runs the scenario with a process that dies at each of these points, and one that lives to the end. */
export async function survive(scenario: CrashScenario, crashes: readonly CrashPoint[], patience: Pick<RunLimits, "patienceMs" | "giveUpMs">): Promise<Life> {
  const clock = manualClock(startTime);
  const store = await scenario.storage({ clock });
  const advance = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await store.advance?.(ms);
  };
  let storage = store.storage;
  try {
    const witness = new CommitWitness();
    const executions: Execution[] = [];
    const violations: string[] = [];
    for (let process = 1; ; process += 1) {
      const crash = crashes[process - 1];
      const image = startProcess({ scenario, process, clock, storage: witness.watch(storage), crash, witness: (execution) => executions.push(execution) });
      const problems = await runProcess(scenario, image, crash, { clock, advance, ...patience });
      violations.push(...image.violations.map(({ call, rule, message }) => `model call ${call} of process ${process} breaks the rule "${rule}": ${message}`));
      if (problems.length > 0) return { problems: [...problems, ...violations, ...witness.problems], commits: image.storage.commits, accepted: witness.accepted };
      if (crash === undefined) return await judge(scenario, { image, storage, witness, executions, violations });
      await advance(scenario.agent(image.context).leases?.ttlMs ?? defaultTtlMs);
      storage = await store.reopen();
    }
  } finally {
    await storage.close();
    await store.dispose?.();
  }
}

/** Lets one process do its part of the scenario. Returns what went wrong on the way. */
async function runProcess(scenario: CrashScenario, image: ProcessImage, crash: CrashPoint | undefined, limits: RunLimits): Promise<string[]> {
  const { process } = image.context;
  const problems: string[] = [];
  const work = act(scenario, image).catch((error: unknown) => {
    // What a dead process still throws concerns nobody.
    if (!image.storage.isCrashed) problems.push(`process ${process} failed: ${describe(error)}`);
  });
  const ending = await letRun(image, work, limits);
  if (ending === "crashed") image.kill();
  if (ending === "stuck") problems.push(`process ${process} waits for something that never comes`);
  else if (ending === "done" && crash !== undefined && problems.length === 0)
    problems.push(`process ${process} never made its commit ${crash.commit}: the scenario does not do the same each time`);
  return problems;
}

async function act(scenario: CrashScenario, image: ProcessImage): Promise<void> {
  const session = await openSession(image);
  if (image.context.process === 1) await scenario.run(session, image.context);
  else {
    await resumeAll(session);
    await scenario.recover?.(session, image.context);
  }
  await untilIdle(session);
}

/** Continues what is owed, and waits until nothing is. */
async function resumeAll(session: Session): Promise<void> {
  try {
    await session.resume();
  } catch (error) {
    // That the turn ends as failed or aborted is for the scenario to judge.
    const isOutcome = ThroughlineError.isInstance(error) && ["nothing-to-resume", "turn-failed", "turn-aborted"].includes(error.code);
    if (!isOutcome) throw error;
  }
  await untilIdle(session);
}

async function untilIdle(session: Session): Promise<void> {
  while (session.status.type !== "idle") await new Promise<void>((resolve) => session.once("session.status", () => { resolve(); }));
}

interface Evidence {
  image: ProcessImage;
  storage: Storage;
  witness: CommitWitness;
  executions: readonly Execution[];
  violations: readonly string[];
}

/** What is wrong in the end, and what came out. */
async function judge(scenario: CrashScenario, { image, storage, witness, executions, violations }: Evidence): Promise<Life> {
  const session = await openSession(image);
  const stored = await readStored(storage, session.id);
  const known = new Set([...stored.history.map(({ info }) => info.id), ...stored.queued]);
  const lost = [...witness.accepted].filter((id) => !known.has(id) && witness.outcomeOf(id) === undefined);
  const problems = [
    ...violations,
    ...witness.problems,
    ...lost.map((id) => `the accepted prompt "${id}" is lost`),
    ...storedProblems(stored),
    ...requestProblems(stored, image.profile, image.model),
    ...executionProblems(executions, stored.callIDs),
    ...(await leftovers(image, storage, session.id)),
  ];
  const result = await scenario.result?.(session);
  await scenario.check?.(session).catch((error: unknown) => problems.push(`the scenario's check failed: ${describe(error)}`));
  await image.agent.close();
  return { problems, commits: image.storage.commits, accepted: witness.accepted, result: result === undefined ? undefined : JSON.stringify(result) };
}

/** What a process leaves behind that has nothing more to do: a timer, or a lease. */
async function leftovers(image: ProcessImage, storage: Storage, sessionID: string): Promise<string[]> {
  const problems: string[] = [];
  if (image.clock.pending() > 0) problems.push(`${image.clock.pending()} timers are left`);
  const lease = await storage.acquireLease(sessionID, "crash matrix", 1_000);
  if (lease === undefined) problems.push("the lease of the session is still held");
  else await storage.releaseLease(lease);
  return problems;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
