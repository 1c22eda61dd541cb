import type { ToolRecord } from "../../tools/tool-registry.ts";
import type { AnyTool } from "../../tools/tool.ts";

/** A tool that has begun to work, while its process lived. */
export interface Execution {
  readonly process: number;
  readonly callID: string;
  readonly tool: string;
  readonly idempotent: boolean;
}

/**
 * The tools, with a witness of each execution. Whoever begins counts, as the effect may be done from then on, also when
 * the process dies meanwhile. What a dead process begins is none: in reality there would be nobody to begin it.
 */
export function witnessed(tools: ToolRecord, witness: (execution: Omit<Execution, "process">) => void): ToolRecord {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, witnessedTool(name, tool, witness)]));
}

function witnessedTool(name: string, tool: AnyTool, witness: (execution: Omit<Execution, "process">) => void): AnyTool {
  // Tools of ours and of the AI SDK differ in their types, not in how they are called: with the input and a context.
  const execute = tool.execute as ((input: unknown, context: { toolCallId: string }) => unknown) | undefined;
  if (execute === undefined) return tool;
  const idempotent = "idempotent" in tool && tool.idempotent === true;
  return {
    ...tool,
    execute(input: unknown, context: { toolCallId: string }) {
      witness({ callID: context.toolCallId, tool: name, idempotent });
      return execute.call(tool, input, context);
    },
  } as AnyTool; // The same tool, called in the same way.
}

/** What was done twice, or done and forgotten. */
export function executionProblems(executions: readonly Execution[], storedCallIDs: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const counts = new Map<string, number>();
  for (const { callID, tool, idempotent, process } of executions) {
    const count = (counts.get(callID) ?? 0) + 1;
    counts.set(callID, count);
    if (count === 2 && !idempotent) problems.push(`the tool "${tool}" ran twice for the call "${callID}", the second time in process ${process}`);
    if (!storedCallIDs.has(callID)) problems.push(`the tool "${tool}" ran for the call "${callID}", of which the history knows nothing`);
  }
  return problems;
}
