/** A chat bot: one session per thread, kept in SQLite. It asks in the chat before it acts, also over a restart. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, defineTool, type AskReply, type LanguageModel, type TurnResult } from "throughline";
import { sqliteStorage } from "throughline/storage/sqlite";
import { reply, scriptedModel } from "throughline/testing";
import { z } from "zod";

/** What was said in the chat. A real bot posts it. */
const chat: string[] = [];
const deployed: string[] = [];

/** Stands for what takes a while: here, until somebody has said more. */
let looked = (): void => undefined;
const looking = new Promise<void>((resolve) => (looked = resolve));

const list_versions = defineTool({
  description: "Says which version runs where.",
  input: z.object({}),
  readOnly: true,
  async execute() {
    await looking;
    return { production: "1.4.0", staging: "1.5.0" };
  },
});

const deploy = defineTool({
  description: "Deploys a version to production.",
  input: z.object({ version: z.string() }),
  permission: ({ version }) => ({ patterns: [version], title: `Deploy ${version} to production`, impact: "Users get it at once." }),
  execute({ version }) {
    deployed.push(version);
    return `${version} is live.`;
  },
});

/** One process of the bot. What it knows of a thread is in the file. */
function startBot(file: string, model: LanguageModel) {
  const storage = sqliteStorage(file);
  const agent = createAgent({
    model,
    storage,
    tools: { list_versions, deploy },
    permissions: [{ permission: "*", action: "allow" }, { permission: "deploy", action: "ask" }],
    // A turn that needs an answer ends as "waiting", so that the process may end, too.
    asks: { mode: "release" },
  });
  const said = new Set<string>();
  const say = (thread: string, result: TurnResult): void => {
    const last = result.messages.at(-1)?.info.id ?? "";
    // A message that joined a turn is answered together with the one that began it.
    if (said.has(last)) return;
    said.add(last);
    if (result.outcome !== "waiting") chat.push(`${thread}: ${result.text || result.outcome}`);
    else for (const { title, impact } of result.asks) chat.push(`${thread}: ${title}? ${impact ?? ""} (yes, always, or what to do instead)`);
  };
  return {
    /** A message has come in the chat. */
    async hear(thread: string, text: string): Promise<void> {
      const session = await agent.session({ id: thread });
      const [ask] = await session.asks();
      if (ask !== undefined) await session.reply(ask.id, toReply(text));
      const turn = ask === undefined ? session.prompt(text, { delivery: "steer" }) : session.resume();
      await turn.accepted;
      if (text.startsWith("Only")) looked();
      say(thread, await turn.settled);
    },
    async stop(): Promise<void> {
      await agent.close();
      await storage.close();
    },
  };
}

/** What a person says who was asked. */
function toReply(text: string): AskReply {
  if (/^yes\b/i.test(text)) return { decision: "once" };
  if (/^always\b/i.test(text)) return { decision: "always" };
  return { decision: "reject", message: text };
}

const folder = await mkdtemp(join(tmpdir(), "throughline-bot-"));
const file = join(folder, "threads.db");

const morning = scriptedModel([
  reply.toolCall("list_versions"),
  reply.text("Production runs 1.4.0."),
  reply.toolCall("deploy", { version: "1.5.0" }),
]);
const first = startBot(file, morning);
// The second message joins the turn of the first one, which is answered with both in mind.
await Promise.all([first.hear("thread-42", "Which versions run?"), first.hear("thread-42", "Only production, please.")]);
await first.hear("thread-42", "Then deploy 1.5.0.");
morning.assertDone();
await first.stop();
assert.deepEqual(chat, [
  "thread-42: Production runs 1.4.0.",
  "thread-42: Deploy 1.5.0 to production? Users get it at once. (yes, always, or what to do instead)",
]);
assert.deepEqual(deployed, []);

// Hours later, in another process: the answer is to the ask that was left open.
const evening = scriptedModel([reply.text("1.5.0 is live."), reply.toolCall("deploy", { version: "2.0.0" }), reply.text("I wait until Monday, then.")]);
const second = startBot(file, evening);
await second.hear("thread-42", "yes");
assert.deepEqual(deployed, ["1.5.0"]);
await second.hear("thread-42", "And now 2.0.0.");
await second.hear("thread-42", "No, wait until Monday.");
evening.assertDone();
await second.stop();
await rm(folder, { recursive: true });

assert.deepEqual(chat.slice(2), [
  "thread-42: 1.5.0 is live.",
  "thread-42: Deploy 2.0.0 to production? Users get it at once. (yes, always, or what to do instead)",
  "thread-42: I wait until Monday, then.",
]);
assert.deepEqual(deployed, ["1.5.0"]);
console.log(chat.join("\n"));
