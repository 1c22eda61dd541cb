import { editScript, type LineRun } from "./edit-script.ts";

/** A change as people read it. */
export interface FileDiff {
  /** In the unified format; empty when nothing changed. */
  diff: string;
  additions: number;
  deletions: number;
}

/** Lines around a change. */
const context = 3;

const noNewline = "\\ No newline at end of file";

/** A line of a hunk, and where it stands: how many lines of either text come before it. */
interface DiffLine {
  type: LineRun["type"];
  text: string;
  before: number;
  after: number;
}

/** The difference of two texts, as `diff -u` writes it. */
export function unifiedDiff(path: string, before: string, after: string): FileDiff {
  if (before === after) return { diff: "", additions: 0, deletions: 0 };
  const lines = number(editScript(linesOf(before), linesOf(after)));
  const counted = (type: LineRun["type"]): number => lines.filter((line) => line.type === type).length;
  const header = [`--- ${before === "" ? "/dev/null" : path}`, `+++ ${path}`];
  return { diff: `${[...header, ...hunksOf(lines).flatMap(renderHunk)].join("\n")}\n`, additions: counted("added"), deletions: counted("removed") };
}

/** Each line with its ending, so that a last line without one differs from one with it. */
function linesOf(text: string): string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

function number(runs: readonly LineRun[]): DiffLine[] {
  const numbered: DiffLine[] = [];
  let [before, after] = [0, 0];
  for (const { type, lines } of runs) {
    for (const text of lines) {
      numbered.push({ type, text, before, after });
      if (type !== "added") before += 1;
      if (type !== "removed") after += 1;
    }
  }
  return numbered;
}

/** Changes with the lines around them; those that are near each other together. */
function hunksOf(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  let end = -1;
  for (const [index, line] of lines.entries()) {
    if (line.type === "same") continue;
    const start = Math.max(index - context, 0);
    const stop = Math.min(index + context + 1, lines.length);
    const last = hunks.at(-1);
    if (last !== undefined && start <= end) last.push(...lines.slice(Math.min(end, stop), stop));
    else hunks.push(lines.slice(start, stop));
    end = Math.max(end, stop);
  }
  return hunks;
}

const signs = { same: " ", removed: "-", added: "+" } as const;

function renderHunk(hunk: readonly DiffLine[]): string[] {
  const [first] = hunk;
  const range = (start: number, type: "added" | "removed"): string => {
    const count = hunk.filter((line) => line.type === "same" || line.type === type).length;
    // A range without lines names the line before it.
    return `${count === 0 ? start : start + 1}${count === 1 ? "" : `,${count}`}`;
  };
  const body = hunk.flatMap(({ type, text }) => (text.endsWith("\n") ? [signs[type] + text.slice(0, -1)] : [signs[type] + text, noNewline]));
  return [`@@ -${range(first?.before ?? 0, "removed")} +${range(first?.after ?? 0, "added")} @@`, ...body];
}
