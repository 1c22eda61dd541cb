import { z } from "zod";

/** The tool of all cases, in the AI SDK's form, which both sides take as it is. It does nothing: its caller is measured. */
export function countTool(onCall: () => void = () => undefined) {
  return {
    description: "Counts a step.",
    inputSchema: z.object({ step: z.number() }),
    execute: async ({ step }: { step: number }): Promise<string> => {
      onCall();
      return `Step ${step} is counted.`;
    },
  };
}
