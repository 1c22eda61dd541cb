/**
 * What the store needs of a driver: a `Pool` or `Client` of `pg`, PGlite, a pool of `@neondatabase/serverless`, or anything
 * else with this method. Values are strings, numbers and `null`.
 */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A row of an answer, by column. How a driver gives numbers differs: read them with `Number`. */
export type AnswerRow = Readonly<Record<string, unknown>>;
