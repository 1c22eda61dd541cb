import { expectTypeOf, it } from "vitest";
import type { AgentOptions, Tool } from "throughline";
import { createWorkspaceTools, type BashInput, type BashResult, type FetchInput, type FetchResult } from "throughline/tools/workspace";

it("the tools of a workspace are those that its options ask for, and fit an agent", () => {
  const usual = createWorkspaceTools({ root: "/srv/project" });
  expectTypeOf(usual.bash).toEqualTypeOf<Tool<BashInput, BashResult>>();
  expectTypeOf(usual).not.toHaveProperty("fetch");
  expectTypeOf(usual).toExtend<NonNullable<AgentOptions["tools"]>>();

  const other = createWorkspaceTools({ root: () => "/srv/project", bash: false, fetch: {} });
  expectTypeOf(other.fetch).toEqualTypeOf<Tool<FetchInput, FetchResult>>();
  expectTypeOf(other).not.toHaveProperty("bash");
  expectTypeOf(other).toExtend<NonNullable<AgentOptions["tools"]>>();
});
