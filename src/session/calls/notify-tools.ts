import type { AnyTool } from "../../tools/tool.ts";
import { withDeadline } from "../../util/with-deadline.ts";
import type { AgentContext } from "../agent-context.ts";

type Ending = { type: "onSessionRemoved"; sessionID: string } | { type: "onClose" };

/** Tells all tools of an end, so that they let go of what they hold. Each by itself: one that fails, or takes too long, is logged. */
export async function notifyTools(ending: Ending, { tools, clock, timeouts, logger }: Pick<AgentContext, "tools" | "clock" | "timeouts" | "logger">): Promise<void> {
  const tell = async (name: string, tool: AnyTool): Promise<void> => {
    try {
      const told = Promise.resolve(call(tool, ending));
      await withDeadline(told, clock, timeouts.hookMs, () => new Error(`It did not end within ${timeouts.hookMs} ms (timeouts.hookMs).`));
    } catch (error) {
      logger?.({ level: "error", message: `${ending.type} of tool "${name}" failed.`, ...(ending.type === "onSessionRemoved" && { sessionID: ending.sessionID }), error });
    }
  };
  await Promise.all(tools.list().map(({ name, tool }) => tell(name, tool)));
}

function call(tool: AnyTool, ending: Ending): unknown {
  if ("inputSchema" in tool) return undefined;
  return ending.type === "onClose" ? tool.onClose?.() : tool.onSessionRemoved?.({ sessionID: ending.sessionID });
}
