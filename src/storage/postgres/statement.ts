/** A statement that is put together from common table expressions, with its values. */
export class Statement {
  readonly values: unknown[] = [];
  readonly #expressions: string[] = [];

  /** Takes a value along. Returns the parameter that stands for it. */
  value(value: string | number | null): string {
    // As text, with a cast where it is used: drivers differ in what they make of other types.
    this.values.push(typeof value === "number" ? String(value) : value);
    return `$${this.values.length}::text`;
  }

  number(value: number | null): string {
    return `${this.value(value)}::bigint`;
  }

  /** Rows to be written or compared, as a table `x` with these columns. */
  rows(rows: readonly object[], columns: string): string {
    return `json_to_recordset(${this.value(JSON.stringify(rows))}::json) AS x(${columns})`;
  }

  with(name: string, expression: string): void {
    this.#expressions.push(`${name} AS (${expression})`);
  }

  /** The statement's text, which ends with this query. */
  text(query: string): string {
    return this.#expressions.length === 0 ? query : `WITH ${this.#expressions.join(",\n")}\n${query}`;
  }
}
