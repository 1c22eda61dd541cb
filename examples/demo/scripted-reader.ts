import type { LanguageModel } from "throughline";
import { reply, scriptedModel, type ModelRequest, type Reply } from "throughline/testing";

/**
 * A model that needs no key: it calls `read_file` for the file that the prompt names, and answers from what the tool
 * returned. Everything around it (session, tool, events) is as with a real one.
 *
 * @param delayMs pause before each piece of the stream, so that one can watch it
 */
export function scriptedReader(delayMs: number): LanguageModel {
  return scriptedModel((request) => answer(request), { chunkSize: 16, delayMs });
}

function answer(request: ModelRequest): Reply {
  const newest = request.prompt.at(-1);
  if (newest?.role === "tool") return reply.text(summarize(resultOf(request)));
  const path = fileNamedIn(request);
  return [reply.text(`I will read ${path} first.`), reply.toolCall("read_file", { path })];
}

/** What the newest tool result says. */
function resultOf({ prompt }: ModelRequest): { text: string; failed: boolean } {
  const newest = prompt.at(-1);
  const result = newest?.role === "tool" ? newest.content[0] : undefined;
  if (result?.type !== "tool-result") return { text: "no result", failed: true };
  const { output } = result;
  return output.type === "text" ? { text: output.value, failed: false } : { text: JSON.stringify(output), failed: true };
}

function fileNamedIn({ prompt }: ModelRequest): string {
  const question = prompt.findLast(({ role }) => role === "user");
  const text = question?.role === "user" ? question.content.map((part) => (part.type === "text" ? part.text : "")).join("") : "";
  return /"([^"]+)"/.exec(text)?.[1] ?? "README.md";
}

function summarize({ text, failed }: { text: string; failed: boolean }): string {
  if (failed) return `I could not read it. The tool said: ${text}`;
  const lines = text.split("\n").map((line) => line.trim());
  const title = lines.find((line) => /\p{Letter}/u.test(line))?.replace(/^#+ /, "") ?? "";
  const sentences = text.split(/\n\s*\n/).map((paragraph) => /^\p{Letter}.+?[.!?](?=\s|$)/su.exec(paragraph)?.[0]);
  const sentence = sentences.find((candidate) => candidate !== undefined)?.replaceAll("\n", " ");
  const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
  return [
    `It has ${lines.length} lines and ${text.split(/\s+/).filter((word) => word !== "").length} words, and begins with: ${title}`,
    ...(sentence === undefined ? [] : [`It says: ${sentence}`]),
    ...(headings.length === 0 ? [] : [`Its sections are: ${headings.join(", ")}.`]),
  ].join("\n");
}
