import type { Operation, Storage } from "../../storage/storage.ts";
import type { Owner } from "./owner.ts";
import { ownNewSession } from "./owner.ts";
import { readEverything } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, textPart } from "./rows.ts";

/** One row of each kind, for tests that do the same to all of them. */
export const fullSession: readonly Operation[] = [
  { type: "message.put", message: assistantRow("msg_a", 1) },
  { type: "part.put", part: textPart("msg_a", "prt_1", "one") },
  { type: "part.put", part: textPart("msg_a", "prt_2", "two") },
  { type: "message.put", message: promptRow("msg_q") },
  { type: "ask.put", ask: askRow("ask_1") },
  { type: "artifact.put", artifact: artifactRow("art_1", "full") },
  { type: "abort.request", abort: abortRow("abt_1") },
];

/** A session with one row of each kind, at `seq` 2, and its owner. */
export async function ownFullSession(storage: Storage): Promise<Owner> {
  const owner = await ownNewSession(storage);
  await owner.write(...fullSession);
  return owner;
}

/** All that the queries tell about it, its artifact included. */
export async function readFullSession(storage: Storage): Promise<unknown> {
  return { session: await readEverything(storage), artifact: await storage.getArtifact(sessionID, "art_1") };
}
