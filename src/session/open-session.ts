import type { SessionInfo } from "../message/session-info.ts";
import type { AgentContext } from "./agent-context.ts";
import type { Engine } from "./engine.ts";
import { LiveSession } from "./live-session.ts";
import { Session } from "./session.ts";
import { SessionWork } from "./session-work.ts";

/** The session of a stored row. Loaded like the engine: an import of the library needs none of what a session is made of. */
export function openSession(info: SessionInfo, context: AgentContext, engine: Engine): Session {
  return new Session(new SessionWork(new LiveSession(info, context), engine));
}
