import { InvalidArgumentError } from "../../errors.ts";

/** The names of the store's tables, quoted, with their schema. */
export type TableName = (typeof tableNames)[number];
export type Tables = Readonly<Record<TableName, string>>;

const tableNames = ["meta", "commits", "session", "message", "part", "part_text", "ask", "artifact", "artifact_text", "abort", "lease"] as const;

/** PostgreSQL cuts longer names off, silently: two stores could then be one. */
const longestName = 63;

/** @throws {InvalidArgumentError} */
export function checkSchemaName(schema: string): void {
  const bytes = new TextEncoder().encode(schema).length;
  if (bytes > 0 && bytes <= longestName && !schema.includes("\0") && schema.isWellFormed()) return;
  throw new InvalidArgumentError("postgresStorage.schema", `must be a name of 1 to ${longestName} bytes, not ${JSON.stringify(schema)}.`);
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteLiteral(text: string): string {
  // The prefix makes a backslash mean the same under every setting of the server.
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

export function tablesOf(schema: string): Tables {
  const names = tableNames.map((name) => [name, `${quoteIdentifier(schema)}.${name}`] as const);
  return Object.fromEntries(names) as Tables; // the names are those of the type
}
