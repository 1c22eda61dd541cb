import type { AssistantMessage, Operation, Part, SessionInfo, UserMessage } from "throughline";

const sessionID = "ses_long";
const turnsPerCommit = 50;
const result = "A line of a file, some eighty characters long, as a tool would read it from a disk.\n".repeat(12);
const answer = Array.from({ length: 50 }, (_, index) => `word ${index} of the answer, `).join("");
const tokens = { input: 100, output: 20, reasoning: 0, cache: { read: 0, write: 0 } };

/**
 * Writes a session of so many turns: a prompt, a call with a result of 1 kB, and an answer of 50 deltas each.
 *
 * @param visible turns behind a compaction at the end of the history, which hides all others; default all
 */
export async function writeHistory(file: string, turns: number, visible = turns): Promise<void> {
  const { sqliteStorage } = await import("throughline/storage/sqlite");
  const storage = sqliteStorage(file);
  const time = { created: 0, updated: 0 };
  const session: SessionInfo = { id: sessionID, rootID: sessionID, title: "Long", agent: "default", permission: [], todos: [], metadata: {}, cost: 0, tokens, time, seq: 0 };
  await storage.commit({ sessionID, operations: [{ type: "session.create", session }] });
  const lease = await storage.acquireLease(sessionID, "own_bench", 60_000);
  if (lease === undefined) throw new Error("The session was just made, and yet somebody else has it.");
  for (let first = 0; first < turns; first += turnsPerCommit) {
    const operations: Operation[] = [];
    for (let turn = first; turn < Math.min(first + turnsPerCommit, turns); turn += 1) operations.push(...turnOf(turn));
    await storage.commit({ sessionID, lease, operations });
  }
  if (visible < turns) await storage.commit({ sessionID, lease, operations: compaction(turns, visible) });
  await storage.releaseLease(lease);
  await storage.close();
}

function turnOf(turn: number): Operation[] {
  const userID = `msg_${turn}_u`;
  const user: UserMessage = {
    id: userID, sessionID, role: "user", agent: "default", model: { providerID: "bench", modelID: "bench" }, position: turn * 3 + 1, time: { created: 0 }, outcome: { type: "answered", time: 0 },
  };
  const message = (step: number): AssistantMessage => ({
    id: `msg_${turn}_${step}`, sessionID, role: "assistant", parentID: userID, agent: "default", providerID: "bench", modelID: "bench", step, attempt: 1, position: turn * 3 + 1 + step,
    finish: step === 1 ? "tool-calls" : "stop", tokens, cost: 0, time: { created: 0, completed: 0 },
  });
  const base = (messageID: string, name: string): { id: string; sessionID: string; messageID: string } => ({ id: `prt_${messageID}_${name}`, sessionID, messageID });
  const ends = (messageID: string, reason: "tool-calls" | "stop"): Part[] => [{ ...base(messageID, "end"), type: "step-finish", reason, cost: 0, tokens }];
  const call: Part = {
    ...base(`msg_${turn}_1`, "call"), type: "tool", callID: `call_${turn}`, tool: "read",
    state: { status: "completed", input: { path: `file-${turn}.txt` }, output: result, title: "read", metadata: {}, time: { start: 0, end: 0 } },
  };
  const parts: Part[] = [
    { ...base(userID, "text"), type: "text", text: `Question number ${turn}?` },
    { ...base(`msg_${turn}_1`, "start"), type: "step-start" }, call, ...ends(`msg_${turn}_1`, "tool-calls"),
    { ...base(`msg_${turn}_2`, "start"), type: "step-start" }, { ...base(`msg_${turn}_2`, "text"), type: "text", text: answer, time: { start: 0, end: 0 } }, ...ends(`msg_${turn}_2`, "stop"),
  ];
  return [...[user, message(1), message(2)].map((row): Operation => ({ type: "message.put", message: row })), ...parts.map((part): Operation => ({ type: "part.put", part }))];
}

function compaction(turns: number, visible: number): Operation[] {
  const [userID, summaryID] = ["msg_compaction", "msg_summary"];
  const position = turns * 3 + 1;
  const user: UserMessage = {
    id: userID, sessionID, role: "user", agent: "default", model: { providerID: "bench", modelID: "bench" }, position, time: { created: 0 }, outcome: { type: "answered", time: 0 },
  };
  const summary: AssistantMessage = {
    id: summaryID, sessionID, role: "assistant", parentID: userID, agent: "default", providerID: "bench", modelID: "bench", step: 1, attempt: 1, position: position + 1,
    summary: true, finish: "stop", tokens, cost: 0, time: { created: 0, completed: 0 },
  };
  const parts: Part[] = [
    { id: "prt_compaction", sessionID, messageID: userID, type: "compaction", auto: true, tail_start_id: `msg_${turns - visible}_u` },
    { id: "prt_summary", sessionID, messageID: summaryID, type: "text", text: answer, time: { start: 0, end: 0 } },
  ];
  return [...[user, summary].map((row): Operation => ({ type: "message.put", message: row })), ...parts.map((part): Operation => ({ type: "part.put", part }))];
}
