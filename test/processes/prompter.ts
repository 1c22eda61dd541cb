/**
 * One of several processes that prompt the same sessions: `prompter.ts <name> <store> <where> <sessions> <prompts>`. Says
 * when its own are done; prints what it saw, as JSON, when its input ends.
 */
import { once } from "node:events";
import { createAgent, type Storage, type TurnResult } from "throughline";
import { reply, scriptedModel, strictModel, type ModelRequest } from "throughline/testing";

const [name = "", kind = "", where = "", sessions = "", prompts = ""] = process.argv.slice(2);

async function openStore(): Promise<{ storage: Storage; close: () => Promise<void> }> {
  switch (kind) {
    case "file": {
      const { fileStorage } = await import("throughline/storage/file");
      return { storage: fileStorage(where), close: async () => undefined };
    }
    case "sqlite": {
      const { sqliteStorage } = await import("throughline/storage/sqlite");
      return { storage: sqliteStorage(where), close: async () => undefined };
    }
    case "postgres": {
      const { default: pg } = await import("pg");
      const { postgresStorage } = await import("throughline/storage/postgres");
      const pool = new pg.Pool({ host: "127.0.0.1", user: "postgres", database: "test" });
      return { storage: postgresStorage(pool, { schema: where }), close: () => pool.end() };
    }
    default:
      throw new Error(`There is no store "${kind}".`);
  }
}

/** The prompts that this process's model was asked to answer, once for each call. */
const asked: string[] = [];

function answer({ prompt }: ModelRequest) {
  const last = prompt.findLast(({ role }) => role === "user");
  const text = JSON.stringify(last?.content);
  asked.push(/prompt [\w-]+/.exec(text)?.[0] ?? text);
  return reply.text("Answered.");
}

const { storage, close } = await openStore();
const model = strictModel(scriptedModel(answer, { delayMs: 1 }));
const problems: string[] = [];
const logger = ({ level, message, error }: { level: string; message: string; error?: unknown }): void => {
  if (level === "error") problems.push(`${message} ${String(error)}`);
};
const agent = createAgent({ model, storage, leases: { ttlMs: 10_000, pollMs: 20 }, logger });

async function promptSession(id: string): Promise<TurnResult[]> {
  const session = await agent.session({ id });
  return Promise.all(Array.from({ length: Number(prompts) }, (_, count) => session.prompt(`prompt ${name}-${id}-${count}`).settled));
}

const results = (await Promise.all(Array.from({ length: Number(sessions) }, (_, index) => promptSession(`ses-${index}`)))).flat();
const outcomes: Record<string, number> = {};
for (const result of results) {
  outcomes[result.outcome] = (outcomes[result.outcome] ?? 0) + 1;
  if ("error" in result) problems.push(`${result.error.code}: ${result.error.message}`);
}
process.stdout.write("done\n");
// Whoever closes a session hands over the turn that another process prompted, whose model call is then made again: not before all are done.
process.stdin.resume();
await once(process.stdin, "end");
await agent.close();
await storage.close();
await close();
process.stdout.write(JSON.stringify({ asked, outcomes, problems, violations: model.violations.length }));
