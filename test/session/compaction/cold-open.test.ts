import { expect, test } from "vitest";
import { createAgent, memoryStorage, type AssistantMessage, type Operation, type Part, type SessionInfo, type Storage, type UserMessage } from "../../../src/index.ts";
import { reply, scriptedModel } from "../../../src/testing/index.ts";

const sessionID = "ses_long";
const model = { providerID: "scripted", modelID: "scripted-model" };
const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };

/** A prompt and an answer. */
function turn(index: number): Operation[] {
  const base = { sessionID, agent: "default", time: { created: 0 } };
  const user: UserMessage = { ...base, id: `msg_${index}_u`, role: "user", model, position: index * 2 + 1, outcome: { type: "answered", time: 0 } };
  const answer: AssistantMessage = {
    ...base, ...model, id: `msg_${index}_a`, role: "assistant", parentID: user.id, step: 1, attempt: 1, position: index * 2 + 2, finish: "stop", tokens, cost: 0, time: { created: 0, completed: 0 },
  };
  return rows([[user, { id: `prt_${index}_u`, sessionID, messageID: user.id, type: "text", text: `Question ${index}?` }], [answer, { id: `prt_${index}_a`, sessionID, messageID: answer.id, type: "text", text: `Answer ${index}.` }]]);
}

/** A compaction behind so many turns. It hides all turns before `first`. */
function compaction(turns: number, first: number): Operation[] {
  const [user, , answer] = turn(turns);
  if (user?.type !== "message.put" || answer?.type !== "message.put") throw new Error("A turn begins with its prompt, and its answer follows.");
  const { id } = user.message;
  return rows([
    [user.message, { id: "prt_mark", sessionID, messageID: id, type: "compaction", auto: true, tail_start_id: `msg_${first}_u` }],
    [{ ...(answer.message as AssistantMessage), summary: true }, { id: "prt_summary", sessionID, messageID: answer.message.id, type: "text", text: "The summary." }],
  ]);
}

function rows(pairs: [UserMessage | AssistantMessage, Part][]): Operation[] {
  return pairs.flatMap(([message, part]): Operation[] => [{ type: "message.put", message }, { type: "part.put", part }]);
}

/** Opens the stored session with a prompt. Returns the sizes of the pages that were read, and how many messages the model saw. */
async function open(operations: Operation[]): Promise<{ limits: (number | undefined)[]; seen: number | undefined }> {
  const storage = memoryStorage();
  const session: SessionInfo = { id: sessionID, rootID: sessionID, title: "Long", agent: "default", permission: [], todos: [], metadata: {}, cost: 0, tokens, time: { created: 0, updated: 0 }, seq: 0 };
  await storage.commit({ sessionID, operations: [{ type: "session.create", session }] });
  const lease = await storage.acquireLease(sessionID, "own_writer", 60_000);
  if (lease === undefined) throw new Error("The session was just made.");
  await storage.commit({ sessionID, lease, operations });
  await storage.releaseLease(lease);
  const limits: (number | undefined)[] = [];
  const watched: Storage = {
    ...storage,
    listMessages: (id, page) => {
      limits.push(page?.limit);
      return storage.listMessages(id, page);
    },
  };
  const scripted = scriptedModel([reply.text("Done.")]);
  const agent = createAgent({ model: scripted, storage: watched });
  await (await agent.session(sessionID)).prompt("Go on.");
  return { limits, seen: scripted.requests[0]?.prompt.length };
}

const turns = (count: number): Operation[] => Array.from({ length: count }, (_, index) => turn(index)).flat();

test("what a compaction hides is not read: one small page where little is visible, then larger ones", async () => {
  // The summary, its note, the visible turns and the prompt.
  expect(await open([...turns(400), ...compaction(400, 390)])).toEqual({ limits: [50], seen: 2 + 10 * 2 + 1 });
  expect(await open([...turns(400), ...compaction(400, 340)])).toEqual({ limits: [50, 100], seen: 2 + 60 * 2 + 1 });
});

test("a session that nothing hides is read in pages that grow", async () => {
  expect(await open(turns(400))).toEqual({ limits: [50, 100, 200, 200, 200, 200], seen: 801 });
});
