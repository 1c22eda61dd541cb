import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { defineTool, type Ask, type AskReply, type Session, type ToolStateCompleted } from "throughline";
import { reply, type Script } from "throughline/testing";
import { createWorkspaceTools, type WorkspaceToolsOptions } from "throughline/tools/workspace";
import { resultsIn, start, type SessionTestOptions, type SessionUnderTest } from "../../session/session-under-test.ts";

/** A folder with files, which is gone when the test is over. */
export interface Folder {
  /** Without links. */
  path: string;
  at(...names: string[]): string;
  write(name: string, content: string | Uint8Array): Promise<void>;
  text(name: string): Promise<string>;
}

export async function makeFolder(files: Record<string, string | Uint8Array> = {}): Promise<Folder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "workspace-")));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const at = (...names: string[]): string => join(path, ...names);
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return { path, at, write, text: (name) => readFile(at(name), "utf8") };
}

/** A call of a tool, as a model makes it. */
export type Call = readonly [tool: string, input: Record<string, unknown>];

export interface Results extends SessionUnderTest {
  /** What the model reads, one for each call, in their order; an error begins with `error: `. */
  results: string[];
  asks: Ask[];
}

export interface CallOptions extends SessionTestOptions {
  workspace?: Partial<WorkspaceToolsOptions>;
  /** Further tools, without input. */
  alsoTools?: Record<string, () => unknown>;
  /** How a person answers. Default: once. */
  answer?: (ask: Ask) => AskReply;
  /** What happens between an ask and its answer. */
  beforeAnswer?: () => Promise<void>;
}

/** Makes calls, a list of them in one step, in a session over the strict model. */
export async function call(root: string, steps: readonly (Call | readonly Call[])[], { workspace, alsoTools = {}, answer = () => ({ decision: "once" }), beforeAnswer, ...options }: CallOptions = {}): Promise<Results> {
  const script: Script = [...steps.map((step) => (isOne(step) ? [step] : step).map(([tool, input]) => reply.toolCall(tool, input))), reply.text("Done.")];
  const others = Object.fromEntries(Object.entries(alsoTools).map(([name, execute]) => [name, defineTool({ description: "Another tool.", input: { type: "object" }, execute })]));
  const under = await start(script, { tools: { ...createWorkspaceTools({ root, ...workspace }), ...others }, maxSteps: 100, ...options });
  const asks: Ask[] = [];
  under.session.on("ask.created", ({ ask }) => {
    asks.push(ask);
    void Promise.resolve(beforeAnswer?.()).then(() => under.session.reply(ask.id, answer(ask)));
  });
  await under.session.prompt("Work.").settled;
  const results = resultsIn(under.model.requests.at(-1)).map(([, type, value]) => (type === "error-text" ? `error: ${String(value)}` : type === "text" ? String(value) : JSON.stringify(value)));
  return { ...under, results, asks };
}

/** The calls that are stored with a result, in their order. */
export async function storedCalls(session: Session): Promise<{ tool: string; state: ToolStateCompleted }[]> {
  const messages = await session.messages({ limit: 1_000 });
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [{ tool: part.tool, state: part.state }] : [])));
}

function isOne(step: Call | readonly Call[]): step is Call {
  return typeof step[0] === "string";
}
