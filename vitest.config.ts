import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** The files that take longest, longest first: begun last, one of them would run on alone. */
const longest = [
  "termination/termination",
  "testing/crash-matrix",
  "storage/postgres/conformance",
  "processes/together",
  "interleavings/ends",
  "session/compaction/compaction-soak",
  "session/thousand-turns",
  "interleavings/prompts",
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  resolve: {
    // Tests and examples import the package by its name, as a user does, and get the sources: no build step first.
    alias: [
      { find: /^throughline$/, replacement: source("index.ts") },
      { find: /^throughline\/(.+)$/, replacement: source("$1/index.ts") },
    ],
  },
  test: {
    // By default one core is left idle.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
  },
});
