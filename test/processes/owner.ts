/**
 * A process that runs a session for others: `owner.ts <database> <witness>`. It holds the session by a prompt of its own
 * until a line comes on stdin; then it runs what has been queued, and hangs in the tool `write`. SIGTERM closes it.
 */
import { appendFileSync } from "node:fs";
import { once } from "node:events";
import { createAgent, defineTool } from "throughline";
import { reply, scriptedModel, strictModel } from "throughline/testing";
import { sqliteStorage } from "throughline/storage/sqlite";

const [database = "", witness = ""] = process.argv.slice(2);
const input = { type: "object", properties: {} } as const;
const held = once(process.stdin, "data");

const hold = defineTool({ description: "Holds the session.", input, execute: () => held.then(() => "held") });
const write = defineTool({
  description: "Writes a line, and never ends.",
  input,
  execute() {
    appendFileSync(witness, "written\n");
    process.stdout.write("writing\n");
    return new Promise<string>(() => undefined);
  },
});
const model = strictModel(scriptedModel([reply.toolCall("hold", {}), reply.text("Mine."), [reply.text("I begin."), reply.toolCall("write", {})]]));
const storage = sqliteStorage(database);
const agent = createAgent({ model, storage, tools: { hold, write } });
process.on("SIGTERM", () => {
  void agent.close().then(() => storage.close()).then(() => process.exit(0));
});
const session = await agent.session({ id: "thread" });
session.once("tool.started", () => process.stdout.write("holding\n"));
await session.prompt("Mine");
