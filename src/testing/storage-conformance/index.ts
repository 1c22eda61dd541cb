import { InvalidArgumentError } from "../../errors.ts";
import { callable, checkOptions, fields, text } from "../../util/check-options.ts";
import { appendTopic } from "./append.ts";
import { artifactsTopic } from "./artifacts.ts";
import { atomicityTopic } from "./atomicity.ts";
import { changeFeedTopic } from "./change-feed.ts";
import { changeFoldingTopic } from "./change-folding.ts";
import { closingTopic } from "./closing.ts";
import { commitTopic } from "./commit.ts";
import { concurrencyTopic } from "./concurrency.ts";
import type { Capability, ConformanceCase, ConformanceStore, ConformanceTopic } from "./conformance-case.ts";
import { damageTopic } from "./damage.ts";
import { deletionTopic } from "./deletion.ts";
import { fidelityTopic } from "./fidelity.ts";
import { guardsTopic } from "./guards.ts";
import { inboxTopic } from "./inbox.ts";
import { isolationTopic } from "./isolation.ts";
import { labelsTopic } from "./labels.ts";
import { leaseExpiryTopic } from "./lease-expiry.ts";
import { leasesTopic } from "./leases.ts";
import { listingTopic } from "./listing.ts";
import { reopeningTopic } from "./reopening.ts";
import { repeatingTopic } from "./repeating.ts";
import { transcriptTopic } from "./transcript.ts";
import { volumeTopic } from "./volume.ts";
import { watchingTopic } from "./watching.ts";

export type { Capability, ConformanceStore } from "./conformance-case.ts";

/** The two functions of a test runner. Those of vitest, `node:test`, bun and jest fit. */
export interface ConformanceRunner {
  describe(name: string, body: () => void): unknown;
  it: {
    (name: string, run: () => Promise<void>): unknown;
    /** Shows tests that were left out. Without it they are named as skipped, and pass. */
    skip?: ((name: string, run: () => Promise<void>) => unknown) | undefined;
  };
}

export interface ConformanceOptions {
  /** What the store cannot do, each with the reason: its tests show up as skipped, with that reason. */
  skip?: { readonly [Name in Capability]?: string | undefined } | undefined;
}

const topics: readonly ConformanceTopic[] = [
  commitTopic,
  atomicityTopic,
  concurrencyTopic,
  repeatingTopic,
  guardsTopic,
  transcriptTopic,
  appendTopic,
  changeFeedTopic,
  changeFoldingTopic,
  leasesTopic,
  leaseExpiryTopic,
  inboxTopic,
  deletionTopic,
  artifactsTopic,
  fidelityTopic,
  labelsTopic,
  volumeTopic,
  isolationTopic,
  listingTopic,
  watchingTopic,
  reopeningTopic,
  damageTopic,
  closingTopic,
];

/**
 * Registers the tests that every storage adapter must pass: one for each sentence of the contract on `Storage`.
 *
 * Each test gets a store of its own from `factory`, and closes it. A test that needs more than the required methods
 * fails when the store lacks it, unless `options.skip` says why it does.
 *
 * @throws {InvalidArgumentError} an argument is missing or of the wrong type
 * @example
 * import { describe, it } from "vitest"
 *
 * const clock = manualClock()
 * storageConformance(
 *   { describe, it },
 *   async () => ({ storage: myStorage({ clock }), advance: clock.advance }),
 *   { skip: { reopen: "it keeps nothing over a restart", damage: "it has no records that could be damaged" } },
 * )
 *
 * @throws {InvalidArgumentError} no test runner, no factory, or an unknown option
 */
export function storageConformance(
  runner: ConformanceRunner,
  factory: () => Promise<ConformanceStore>,
  options: ConformanceOptions = {},
): void {
  checkRunner(runner);
  callable(factory, "storageConformance.factory");
  checkOptions("storageConformance.options", options, { skip: fields<Record<Capability, string>>({ advance: text, reopen: text, watch: text, damage: text }) });
  runner.describe("storage conformance", () => {
    for (const topic of topics) {
      runner.describe(topic.name, () => {
        for (const testCase of topic.cases) register(runner, factory, testCase, options.skip);
      });
    }
  });
}

/** The `it` of a runner is a function with fields, and a namespace such as `node:test` is one too. */
function checkRunner(runner: unknown): void {
  const isRunner = (typeof runner === "object" || typeof runner === "function") && runner !== null && "describe" in runner && "it" in runner;
  if (!isRunner) throw new InvalidArgumentError("storageConformance.runner", 'expected { describe, it } of your test runner, e.g. import { describe, it } from "vitest".');
  callable(runner.describe, "storageConformance.runner.describe");
  callable(runner.it, "storageConformance.runner.it");
}

function register(
  { it }: ConformanceRunner,
  factory: () => Promise<ConformanceStore>,
  testCase: ConformanceCase,
  skip: ConformanceOptions["skip"],
): void {
  const reason = testCase.needs === undefined ? undefined : skip?.[testCase.needs];
  if (reason === undefined) it(testCase.name, () => runCase(factory, testCase));
  else (it.skip ?? it)(`${testCase.name} (skipped: ${reason})`, () => Promise.resolve());
}

async function runCase(factory: () => Promise<ConformanceStore>, testCase: ConformanceCase): Promise<void> {
  const store = await factory();
  try {
    await testCase.run(store);
  } finally {
    await store.storage.close();
    await store.dispose?.();
  }
}
