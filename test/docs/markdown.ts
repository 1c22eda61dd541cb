/** A block of code in a Markdown text. */
export interface CodeBlock {
  /** The newest heading before it. */
  heading: string;
  language: string;
  code: string;
}

/** All fenced blocks, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  let open: { language: string; lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) {
      if (open === undefined) open = { language: line.slice(3), lines: [] };
      else {
        blocks.push({ heading, language: open.language, code: open.lines.join("\n") });
        open = undefined;
      }
    } else if (open !== undefined) open.lines.push(line);
    else if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
  }
  return blocks;
}

/** The rows of the table that stands under a heading and has these columns, each cell by its column. */
export function tableRows<Column extends string>(markdown: string, heading: string, columns: readonly Column[]): Record<Column, string>[] {
  const section = markdown.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|") && cellsOf(line).join("|") === columns.join("|"));
  if (start === -1) throw new Error(`There is no table with the columns ${columns.join(", ")} under "${heading}".`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end === -1 ? undefined : end).map((line) => {
    const cells = cellsOf(line);
    // One entry for each column, which Object.fromEntries cannot express.
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])) as Record<Column, string>;
  });
}

/** The names in backticks of a cell. */
export function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
