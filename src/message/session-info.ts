import type { JSONObject } from "./json.ts";
import type { ModelRef } from "./model-ref.ts";
import type { PermissionRule } from "./permission-rule.ts";
import type { Tokens } from "./tokens.ts";

/** One entry of the session's to-do list. */
export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed" | "cancelled";
  priority: "high" | "medium" | "low";
}

/** The stored row of a session: everything about it but its messages. */
export interface SessionInfo {
  id: string;
  /** The session whose task tool made this one; a root has none. */
  parentID?: string | undefined;
  /** The root of this session's tree; a root's own id. Leases are per tree. */
  rootID: string;
  title: string;
  /** Name of the agent that new prompts use. */
  agent: string;
  /** The model that the newest prompt used. */
  model?: ModelRef | undefined;
  /** Working directory, for the host's tools. The engine does not read it. */
  directory?: string | undefined;
  projectID?: string | undefined;
  /** Rules saved at run time by "always" replies; not the host's configuration. */
  permission: PermissionRule[];
  todos: Todo[];
  /** Set while the session is rewound: messages from here on are hidden. */
  revert?: { messageID: string; partID?: string | undefined; snapshot?: string | undefined } | undefined;
  /** The host's own data. */
  metadata: JSONObject;
  /** Sum of all steps, in the unit of the `prices` option (US dollars by convention). */
  cost: number;
  tokens: Tokens;
  /** Milliseconds since the epoch, by the writer's clock. For people: nothing is ordered by them. */
  time: { created: number; updated: number };
  /** Number of commits so far. Clients ask with it for what changed since. */
  seq: number;
}
