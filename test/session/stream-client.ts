import type { Session, SessionEvent, StreamItem, StreamOptions } from "throughline";
import { foldEvents, type FoldedSession } from "./event-fold.ts";

/** A client that reads the stream as it comes. */
export interface Client {
  items: StreamItem[];
  /** Resolves when the iteration has ended. */
  ended: Promise<void>;
  leave(): void;
}

export function follow(session: Session, options: StreamOptions = {}): Client {
  const items: StreamItem[] = [];
  const controller = new AbortController();
  const read = async (): Promise<void> => {
    for await (const item of session.events({ ...options, abortSignal: controller.signal })) items.push(item);
  };
  return { items, ended: read(), leave: () => { controller.abort(); } };
}

/** What a client knows that folds the items, and drops all at a reset. */
export function foldItems(items: readonly StreamItem[]): FoldedSession {
  const begin = items.findLastIndex(({ type }) => type === "session.reset");
  return foldEvents(items.slice(begin + 1).filter((item): item is SessionEvent & { cursor: string } => item.type !== "session.reset"));
}

/** Lets everything happen that waits for no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
