/** A coding agent over a folder: it looks around, changes files, and asks before it does. The model is scripted, the files are real. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "throughline";
import { reply, scriptedModel } from "throughline/testing";
import { createWorkspaceTools, workspaceFiles, workspaceInstructions } from "throughline/tools/workspace";

// A small repository, with a bug in it.
const root = await mkdtemp(join(tmpdir(), "throughline-example-"));
await mkdir(join(root, "src"));
await writeFile(join(root, "AGENTS.md"), "Keep functions short.\n");
await writeFile(join(root, ".env"), "KEY=1\n");
await writeFile(join(root, "src/sum.js"), "export function sum(a, b) {\n    return a - b;\n}\n");

const model = scriptedModel([
  [reply.toolCall("list", {}), reply.toolCall("grep", { pattern: "return", include: "*.js" }), reply.toolCall("read", { filePath: ".env" })],
  reply.toolCall("read", { filePath: "src/sum.js" }),
  // The indentation is wrong: the place is found all the same, as there is only one.
  reply.toolCall("edit", { filePath: "src/sum.js", oldString: "return a - b;", newString: "return a + b;" }),
  reply.toolCall("write", { filePath: "test/sum.test.js", content: 'import { sum } from "../src/sum.js";\n' }),
  // A real shell. Of the two commands neither is allowed by a rule, so a person is asked.
  reply.toolCall("bash", { command: "node --check src/sum.js && grep -c return src/sum.js", description: "Checks the syntax" }),
  reply.text("sum() adds now, and has a test."),
]);

const agent = createAgent({
  model,
  instructions: workspaceInstructions({ root, instructions: "You are a careful programmer." }),
  tools: createWorkspaceTools({ root }),
  resolveFile: workspaceFiles({ root }),
});
const session = await agent.session();
const asked: string[] = [];
session.on("ask.created", ({ ask }) => {
  asked.push(ask.title);
  console.log(`${ask.title}\n${ask.impact ?? ""}\n${ask.diff ?? ""}`);
  // One "always" covers changes of all files under the root, for this session.
  void session.reply(ask.id, { decision: "always" });
});

const { text, toolErrors } = await session.prompt([
  { type: "text", text: "sum() is wrong. Fix it, and add a test." },
  { type: "file", mime: "text/plain", url: `file://${root}/src/sum.js` },
]);
console.log(text);

assert.equal(await readFile(join(root, "src/sum.js"), "utf8"), "export function sum(a, b) {\n    return a + b;\n}\n");
assert.match(await readFile(join(root, "test/sum.test.js"), "utf8"), /import \{ sum \}/);
const checked = (await session.messages()).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.tool === "bash" && part.state.status === "completed" ? [part.state.output.trim()] : [])));
assert.deepEqual(checked, ["1"]);
assert.equal(asked[0], "Change src/sum.js");
assert.equal(asked.length, 2);
assert.equal(toolErrors.length, 1);
assert.match(toolErrors[0]?.error ?? "", /\.env may hold keys or passwords/);
assert.match(JSON.stringify(model.requests[0]?.prompt), /Keep functions short\..*1: export function sum/);
model.assertDone();
await agent.close();
await rm(root, { recursive: true });
