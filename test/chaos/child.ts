/**
 * Runs one session as a host would, until it is killed: `child.js <store> <folder> <round> <mode>`. It says on stdout what
 * it was promised, one JSON line each, so that whoever killed it can tell what must have survived.
 */
import { appendFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createAgent, defineTool, ThroughlineError, type Session, type Storage } from "throughline";
import { reply, scriptedModel, strictModel, type ModelRequest } from "throughline/testing";

const [kind = "", folder = "", round = "", mode = ""] = process.argv.slice(2);
const promptsPerRound = 40;

function say(line: Record<string, unknown>): void {
  // Not through a stream, which a kill would empty.
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function openStore(): Promise<Storage> {
  switch (kind) {
    case "file": {
      const { fileStorage } = await import("throughline/storage/file");
      return fileStorage(join(folder, "sessions"));
    }
    case "sqlite": {
      const { sqliteStorage } = await import("throughline/storage/sqlite");
      return sqliteStorage(join(folder, "sessions.db"));
    }
    default:
      throw new Error(`There is no store "${kind}".`);
  }
}

/** Answers by what it has seen: two rounds of two calls, then a text. So a turn that was cut goes on where it was. */
function answer({ prompt }: ModelRequest) {
  const lastPrompt = prompt.findLastIndex(({ role }) => role === "user");
  const rounds = prompt.slice(lastPrompt).filter(({ role }) => role === "tool").length;
  const thought = reply.text("I write it down, word by word, so that a crash can cut this short. ");
  if (rounds >= 2) return reply.text("It is written down, and this is the answer to what was asked.");
  return [thought, reply.toolCall("write_once", { line: `${rounds}` }), reply.toolCall("write_again", { line: `${rounds}` })];
}

const input = { type: "object", properties: { line: { type: "string" } }, required: ["line"] } as const;

/** Leaves a line for each execution: the witness of what ran how often. */
async function witness(tool: string, callID: string): Promise<string> {
  appendFileSync(join(folder, "witness.txt"), `${tool} ${callID}\n`);
  await new Promise((resolve) => setTimeout(resolve, 3));
  return "written";
}

const tools = {
  write_once: defineTool<{ line: string }>({ description: "Writes a line.", input, execute: (_input, { messageID, callID }) => witness("write_once", `${messageID}/${callID}`) }),
  write_again: defineTool<{ line: string }>({ description: "Writes a line; twice does no harm.", input, idempotent: true, execute: (_input, { messageID, callID }) => witness("write_again", `${messageID}/${callID}`) }),
};

async function resumeAll(session: Session): Promise<void> {
  for (;;) {
    try {
      const { outcome } = await session.resume().settled;
      if (outcome === "error") return;
    } catch (error) {
      if (ThroughlineError.isInstance(error) && error.code === "nothing-to-resume") return;
      throw error;
    }
  }
}

const model = strictModel(scriptedModel(answer, { chunkSize: 8, delayMs: 1 }));
const agent = createAgent({ model, tools, storage: await openStore(), leases: { ttlMs: 10_000, pollMs: 50 }, logger: ({ level, message, error }) => { if (level === "error") say({ problem: `${message} ${String(error)}` }); } });
const session = await agent.session({ id: "ses_chaos" });
say({ ready: true });
await resumeAll(session);
for (let count = 0; mode === "prompt" && count < promptsPerRound; count += 1) {
  const id = `prompt-${round}-${count}`;
  const turn = session.prompt(`Write number ${count}.`, { id });
  await turn.accepted;
  say({ accepted: id });
  if (count % 3 !== 2) await turn.settled;
}
const violations = model.violations.map((violation) => JSON.stringify(violation));
say({ violations });
if (mode === "finish") {
  const messages = await session.messages();
  const prompts = messages.flatMap(({ info }) => (info.role === "user" ? [{ id: info.id, outcome: info.outcome?.type }] : []));
  const calls = messages.flatMap(({ info, parts }) => parts.flatMap((part) => (part.type === "tool" ? [{ tool: part.tool, key: `${info.id}/${part.callID}`, status: part.state.status }] : [])));
  say({ prompts, calls, queued: (await session.queue()).length });
}
await agent.close();
