/** One line of the table. */
export interface Row {
  figure: string;
  /** Ours and theirs, with units. */
  ours: string;
  theirs: string;
  ratio: string;
  bar: string;
  verdict: "pass" | "MISS" | "";
}

const header = ["figure", "ours", "compared with", "ratio (range)", "bar", ""];

/** A Markdown table, with columns that line up in a terminal too. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [header, ...rows.map((row) => [row.figure, row.ours, row.theirs, row.ratio, row.bar, row.verdict])];
  const widths = header.map((_, column) => Math.max(3, ...lines.map((line) => (line[column] ?? "").length)));
  const render = (cells: readonly string[]): string => `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [...lines.slice(0, 1).map(render), rule, ...lines.slice(1).map(render)].join("\n");
}

/** Three significant digits. */
export function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
