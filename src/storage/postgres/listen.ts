import type { PostgresClient } from "./postgres-client.ts";
import { quoteIdentifier } from "./schema-name.ts";

/** Hears what is said on a channel. Resolves with the way to end it. */
export type Listen = (channel: string, hearing: Hearing) => Promise<() => Promise<void>>;

export interface Hearing {
  onPayload: (payload: string) => void;
  /** The connection is gone; nothing is heard any more. */
  onLost: () => void;
}

/** How this driver hears notifications; `undefined` when it cannot. */
export function listenOf(client: PostgresClient): Listen | undefined {
  if (isPool(client)) return (channel, hearing) => listenOnPool(client, channel, hearing);
  if (isPGlite(client)) return (channel, { onPayload }) => client.listen(quoteIdentifier(channel), onPayload);
  return undefined;
}

/** `Pool` of `pg`, or one that is made like it. */
interface Pool extends PostgresClient {
  connect(): Promise<PoolConnection>;
}

interface PoolConnection extends PostgresClient {
  on(event: "notification", listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: "error" | "end", listener: () => void): unknown;
  release(destroy: boolean): void;
}

interface PGlite extends PostgresClient {
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
}

function isPool(client: PostgresClient): client is Pool {
  // A single connection has a `connect` too, which does something else.
  return "connect" in client && typeof client.connect === "function" && "totalCount" in client;
}

function isPGlite(client: PostgresClient): client is PGlite {
  return "listen" in client && typeof client.listen === "function";
}

/** On a connection of its own: a pool gives its connections to others between two statements. */
async function listenOnPool(pool: Pool, channel: string, { onPayload, onLost }: Hearing): Promise<() => Promise<void>> {
  const connection = await pool.connect();
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    // Destroyed, or else it would go on listening in the pool.
    connection.release(true);
  };
  const lost = (): void => {
    if (ended) return;
    end();
    onLost();
  };
  connection.on("error", lost);
  connection.on("end", lost);
  connection.on("notification", (message) => {
    if (message.channel === channel) onPayload(message.payload ?? "");
  });
  try {
    await connection.query(`LISTEN ${quoteIdentifier(channel)}`, []);
  } catch (error) {
    end();
    throw error;
  }
  return async () => end();
}
