/**
 * An agent reads a real file and answers; each kind of event is explained when it first occurs.
 *
 *     npm run demo                       offline: a scripted model, a real tool, a real file of this folder
 *     npm run demo -- "your question"    a real model: set ANTHROPIC_API_KEY or OPENAI_API_KEY
 */
import { createAgent, type LanguageModel } from "throughline";
import { findTextFile } from "./demo/find-text-file.ts";
import { providerModel } from "./demo/provider-model.ts";
import { readFileTool } from "./demo/read-file-tool.ts";
import { scriptedReader } from "./demo/scripted-reader.ts";
import { Terminal } from "./demo/terminal.ts";

/** The user's folder. npm runs its scripts in the folder of the package, and says where it was called. */
function startFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
  return script === "demo" && calledIn !== undefined ? calledIn : process.cwd();
}

/** What the user asked a real model, or the scripted model and what it can answer. */
async function chooseTask(folder: string, question: string): Promise<{ model: LanguageModel; prompt: string }> {
  if (question !== "") return { model: await providerModel(process.env), prompt: question };
  const file = await findTextFile(folder);
  if (file === undefined) throw new Error(`There is no text file in ${folder} to read. Start the demo in a folder that has one.`);
  return { model: scriptedReader(process.stdout.isTTY ? 15 : 0), prompt: `Read "${file}" and tell me what it is about.` };
}

async function run(): Promise<boolean> {
  const folder = startFolder();
  const { model, prompt } = await chooseTask(folder, process.argv.slice(2).join(" ").trim());
  const terminal = new Terminal(process.stdout);
  const agent = createAgent({
    model,
    instructions: "You answer questions about the files of one folder, briefly. Read a file with read_file before you speak of it.",
    tools: { read_file: readFileTool(folder) },
    permissions: [{ permission: "*", action: "deny" }, { permission: "read_file", action: "allow" }],
    maxSteps: 20,
  });
  agent.on("*", (event) => {
    terminal.show(event);
  });

  terminal.line(`> ${prompt}\n`);
  const started = performance.now();
  const session = await agent.session({ title: "Demo", directory: folder });
  const turn = session.prompt(prompt);
  process.once("SIGINT", () => void turn.abort());
  const result = await turn.settled;
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  await agent.close();

  const { outcome, steps, tokens } = result;
  terminal.line(`\n${outcome}: ${steps} ${steps === 1 ? "step" : "steps"}, ${tokens.input} tokens in, ${tokens.output} out, ${seconds} s`);
  if (outcome === "error" || outcome === "limit") terminal.line(result.error.message);
  return outcome === "answered";
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
