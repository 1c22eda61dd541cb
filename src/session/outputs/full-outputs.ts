import { isReadable } from "../../message/is-readable.ts";
import type { WithParts } from "../../message/message.ts";
import type { ToolPart } from "../../message/part.ts";
import type { OwnerOperation } from "../../storage/storage.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";
import type { LiveSession } from "../live-session.ts";
import { outputReader } from "./output-reader.ts";

/** The whole texts of a session's outputs that a model was shown in part: kept as artifacts, the newest of them. */
export class FullOutputs {
  readonly #live: LiveSession;
  #reader: CatalogEntry | undefined;
  /** Kept in this run, oldest first: the step under way is not in the history yet. */
  readonly #written = new Set<string>();
  /** How much of the history was looked at, and whether anything was kept of it. */
  #seen = { count: 0, isCut: false };

  constructor(live: LiveSession) {
    this.#live = live;
  }

  /** Whether any are kept. */
  get isOn(): boolean {
    return this.#live.context.toolOutput.keep > 0;
  }

  /** The tool that reads them; only where the model can see that there is something to read. */
  reader(history: readonly WithParts[]): CatalogEntry | undefined {
    if (!this.isOn || !this.#isCut(history)) return undefined;
    return (this.#reader ??= outputReader(this.#live));
  }

  /** How to keep a text, in the commit of its call's result; older ones go. */
  keep(artifactID: string, text: string, { messageID }: Pick<ToolPart, "messageID">, history: readonly WithParts[]): OwnerOperation[] {
    const { info, context } = this.#live;
    const kept = new Set([...history.flatMap(({ parts }) => parts.flatMap((part) => cutBy(part) ?? [])), ...this.#written]);
    // The newest is the one that is kept last.
    kept.delete(artifactID);
    const surplus = [...kept].slice(0, Math.max(0, kept.size + 1 - context.toolOutput.keep));
    this.#written.delete(artifactID);
    this.#written.add(artifactID);
    const artifact = { id: artifactID, sessionID: info.id, messageID, mime: "text/plain", text, size: text.length, time: { created: context.clock.now() } };
    return [{ type: "artifact.put", artifact }, ...surplus.map((id) => ({ type: "artifact.delete" as const, artifactID: id }))];
  }

  /** Looks only at what is new, unless a compaction or a dropped attempt has made the history shorter. */
  #isCut(history: readonly WithParts[]): boolean {
    if (history.length < this.#seen.count) this.#seen = { count: 0, isCut: false };
    const seen = this.#seen;
    for (; !seen.isCut && seen.count < history.length; seen.count += 1) {
      seen.isCut = history[seen.count]?.parts.some((part) => cutBy(part) !== undefined) === true;
    }
    seen.count = history.length;
    return seen.isCut;
  }
}

/** Where the whole of a part's output is. */
function cutBy(part: WithParts["parts"][number]): string | undefined {
  return isReadable(part) && part.type === "tool" && part.state.status === "completed" ? part.state.truncated?.artifactID : undefined;
}

/** The id of a text: the same for the same text, so that an output that comes again is the same output to everybody. */
export async function artifactIDOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `art_${Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
