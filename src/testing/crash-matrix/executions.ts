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
  if (tool.execute === undefined) return tool;
  // Tools of ours and of the AI SDK differ in their types, not in how they are called: with the input and a context.
  const called = tool as { execute(input: unknown, context: { toolCallId: string }): unknown };
  const idempotent = "idempotent" in tool && tool.idempotent === true;
  const execute = (input: unknown, context: { toolCallId: string }): unknown => {
    witness({ callID: context.toolCallId, tool: name, idempotent });
    return called.execute(input, context);
  };
  return { ...tool, execute };
}

/** What was done twice, or done and forgotten. */
export function executionProblems(executions: readonly Execution[], storedCallIDs: ReadonlySet<string>): string[] {
  const first = new Map<string, Execution>();
  return executions.flatMap((execution) => {
    const { callID, tool, process } = execution;
    const earlier = first.get(callID);
    if (earlier === undefined) {
      first.set(callID, execution);
      return storedCallIDs.has(callID) ? [] : [`the tool "${tool}" ran for the call "${callID}", of which the history knows nothing`];
    }
    const mayRepeat = earlier.idempotent && execution.idempotent;
    return mayRepeat ? [] : [`the tool "${tool}" ran twice for the call "${callID}": in process ${earlier.process} and in process ${process}`];
  });
}
