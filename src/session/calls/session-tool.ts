import type { PermissionDecision } from "../../permission/permission-policy.ts";
import { unsavedPatterns } from "../../permission/saved-rules.ts";
import type { JSONSchema } from "../../tools/json-schema.ts";
import { withDeadline } from "../../util/with-deadline.ts";
import type { LiveSession } from "../live-session.ts";
import type { CatalogEntry, ToolCatalog } from "./tool-catalog.ts";

/** A tool as a session offers it. */
export interface SessionTool {
  /** What the model calls it. */
  name: string;
  description?: string | undefined;
  /** Absent for a tool that the provider runs. */
  inputSchema?: JSONSchema | undefined;
  /**
   * What would become of a call about which no narrower rule says more: a rule for some patterns only, such as `git push *`, does
   * not show here. Judged by the tool's name: one that needs another leave, as `write` needs that of `edit`, is judged by that
   * when it is called. A tool that is denied without exception is one that the model is not told of.
   */
  decision: PermissionDecision;
}

/** The tools that the next step would have, in the order in which a model is told of them, and those that are hidden from it. */
export async function sessionTools(live: LiveSession, catalog: ToolCatalog): Promise<SessionTool[]> {
  const entries = await catalog.entries();
  return Promise.all(entries.map((entry) => describe(entry, live)));
}

async function describe({ tool, definition }: CatalogEntry, live: LiveSession): Promise<SessionTool> {
  const { name, description } = tool;
  const decision = await decisionAbout(tool, live);
  return {
    name,
    ...(description !== undefined && { description }),
    // A copy: a caller must not change for the model what it is told. Its form is that of any JSON Schema.
    ...(definition.type === "function" && { inputSchema: structuredClone(definition.inputSchema) as JSONSchema }),
    decision: { ...decision },
  };
}

async function decisionAbout({ name, defaultAction }: CatalogEntry["tool"], { info, context }: LiveSession): Promise<PermissionDecision> {
  if (context.policy.hides?.(name) === true) return { action: "deny", reason: `The rules deny "${name}" whatever it is called with.` };
  const deciding = context.policy.decide({
    sessionID: info.id,
    rootID: info.rootID,
    agent: info.agent,
    tool: name,
    permission: name,
    patterns: ["*"],
    input: {},
    messageID: "",
    callID: "",
    defaultAction,
  });
  const { clock, timeouts } = context;
  const onDeadline = (): Error => new Error(`The permission policy did not answer about tool "${name}" within ${timeouts.hookMs} ms (timeouts.hookMs).`);
  const decision = deciding instanceof Promise ? await withDeadline(deciding, clock, timeouts.hookMs, onDeadline) : deciding;
  const isSaved = decision.action === "ask" && decision.once !== true && unsavedPatterns(info.permission, { permission: name, patterns: ["*"] }).length === 0;
  return isSaved ? { action: "allow", reason: "It was always allowed in this session." } : decision;
}
