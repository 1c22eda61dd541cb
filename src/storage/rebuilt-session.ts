import type { SessionInfo } from "../message/session-info.ts";
import { zeroTokens } from "../message/tokens.ts";

/** What a store knows of a session besides its record. */
export type SessionIdentity = Pick<SessionInfo, "id" | "rootID"> & Partial<SessionInfo>;

/** A session whose record is damaged, made anew of what else is known: it lists and opens, and has lost the rest. */
export function rebuiltSession(known: SessionIdentity): SessionInfo {
  return {
    title: "",
    agent: "default",
    permission: [],
    todos: [],
    metadata: {},
    cost: 0,
    tokens: zeroTokens(),
    time: { created: 0, updated: 0 },
    seq: 0,
    ...known,
  };
}
