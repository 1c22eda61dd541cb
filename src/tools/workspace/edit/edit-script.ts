/** A run of lines: the same in both texts, only in the old one, or only in the new one. */
export interface LineRun {
  type: "same" | "removed" | "added";
  lines: readonly string[];
}

/** With more differences than this the rest is shown as removed and added as a whole: the time grows with their square. */
const maxDifferences = 1_500;

/**
 * The shortest way from one list of lines to another, by the algorithm of Eugene W. Myers, "An O(ND) Difference Algorithm and
 * Its Variations" (1986).
 */
export function editScript(before: readonly string[], after: readonly string[]): LineRun[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const runs: LineRun[] = [];
  append(runs, "same", before.slice(0, start));
  for (const run of shortest(before.slice(start, before.length - end), after.slice(start, after.length - end))) append(runs, run.type, run.lines);
  append(runs, "same", before.slice(before.length - end));
  return runs;
}

function append(runs: LineRun[], type: LineRun["type"], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = runs.at(-1);
  if (last?.type === type) runs[runs.length - 1] = { type, lines: [...last.lines, ...lines] };
  else runs.push({ type, lines });
}

function shortest(before: readonly string[], after: readonly string[]): LineRun[] {
  const whole: LineRun[] = [{ type: "removed", lines: before }, { type: "added", lines: after }];
  if (before.length === 0 || after.length === 0) return whole;
  const trail = search(before, after);
  return trail === undefined ? whole : walkBack(before, after, trail);
}

/** By diagonal, how far a way with so many differences gets in the old lines; one copy for each number of differences. */
type Trail = readonly Map<number, number>[];

function search(before: readonly string[], after: readonly string[]): Trail | undefined {
  const trail: Map<number, number>[] = [];
  let reached = new Map([[1, 0]]);
  for (let differences = 0; differences <= Math.min(maxDifferences, before.length + after.length); differences += 1) {
    trail.push(reached);
    const next = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = goesDown(reached, diagonal, differences) ? at(reached, diagonal + 1) : at(reached, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trail;
    }
    reached = next;
  }
  return undefined;
}

/** Whether the farthest way to a diagonal adds a line, rather than to remove one. */
function goesDown(reached: ReadonlyMap<number, number>, diagonal: number, differences: number): boolean {
  return diagonal === -differences || (diagonal !== differences && at(reached, diagonal - 1) < at(reached, diagonal + 1));
}

function at(reached: ReadonlyMap<number, number>, diagonal: number): number {
  return reached.get(diagonal) ?? -1;
}

function walkBack(before: readonly string[], after: readonly string[], trail: Trail): LineRun[] {
  const steps: LineRun[] = [];
  let [x, y] = [before.length, after.length];
  for (let differences = trail.length - 1; differences >= 0; differences -= 1) {
    const reached = trail[differences] ?? new Map<number, number>();
    const diagonal = x - y;
    const isDown = goesDown(reached, diagonal, differences);
    const fromX = differences === 0 ? 0 : at(reached, isDown ? diagonal + 1 : diagonal - 1);
    const fromY = differences === 0 ? 0 : fromX - (isDown ? diagonal + 1 : diagonal - 1);
    const [startX, startY] = differences === 0 ? [0, 0] : isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    steps.push({ type: "same", lines: before.slice(startX, x) });
    if (differences > 0) steps.push(isDown ? { type: "added", lines: after.slice(fromY, startY) } : { type: "removed", lines: before.slice(fromX, startX) });
    [x, y] = [fromX, fromY];
  }
  return steps.reverse();
}
