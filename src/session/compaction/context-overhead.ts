import { estimateOverhead } from "../../compaction/estimate-tokens.ts";
import type { CatalogEntry } from "../calls/tool-catalog.ts";

/** Definitions of compiled tools do not change: each is looked at once. */
const known = new WeakMap<CatalogEntry, number>();

/** Estimated tokens of what stands before the messages in every request: the system text, and the tools that are offered. */
export function contextOverhead(system: readonly string[], entries: readonly CatalogEntry[], isHidden: ((tool: string) => boolean) | undefined): number {
  let tokens = 0;
  for (const section of system) tokens += estimateOverhead(section, []);
  for (const entry of entries) if (isHidden?.(entry.tool.name) !== true) tokens += definitionTokens(entry);
  return tokens;
}

function definitionTokens(entry: CatalogEntry): number {
  let tokens = known.get(entry);
  if (tokens === undefined) {
    tokens = estimateOverhead("", [entry.definition]);
    known.set(entry, tokens);
  }
  return tokens;
}
