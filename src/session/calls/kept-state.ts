import { compactionOf } from "../../compaction/compaction-message.ts";
import type { JSONObject, JSONValue } from "../../message/json.ts";
import { isReadable } from "../../message/is-readable.ts";
import type { WithParts } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import { jsonClone } from "../../util/json-clone.ts";

/**
 * What a tool keeps for its next call: the `state` of its newest result in the visible history, or what a compaction carried
 * over of it. Nothing else is kept, so that a restart, a revert and a fork need do nothing for it.
 *
 * @param messageID the message of the call, which does not count: its calls are judged by what was before it
 * @returns a copy, which the tool may change
 */
export function keptState(tool: string, messageID: string, history: readonly WithParts[]): JSONValue | undefined {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = history[index];
    if (entry === undefined || entry.info.id === messageID) continue;
    const kept = keptIn(entry, tool);
    if (kept !== undefined) return jsonClone(kept);
  }
  return undefined;
}

/** What all tools keep; `undefined` when none keeps anything. */
export function keptStates(history: readonly WithParts[]): JSONObject | undefined {
  const states = new Map<string, JSONValue>();
  for (const part of history.flatMap(({ parts }) => parts.filter(isReadable))) {
    const kept = keptBy(part);
    if (part.type === "compaction") for (const [tool, state] of Object.entries(part.toolStates ?? {})) states.set(tool, state ?? null);
    if (part.type === "tool" && kept !== undefined) states.set(part.tool, kept);
  }
  return states.size === 0 ? undefined : Object.fromEntries(states);
}

function keptIn(entry: WithParts, tool: string): JSONValue | undefined {
  for (let index = entry.parts.length - 1; index >= 0; index -= 1) {
    const part = entry.parts[index];
    if (part === undefined || !isReadable(part)) continue;
    const kept = part.type === "tool" && part.tool === tool ? keptBy(part) : undefined;
    if (kept !== undefined) return kept;
  }
  return compactionOf(entry)?.toolStates?.[tool];
}

function keptBy(part: Part): JSONValue | undefined {
  return part.type === "tool" && part.state.status === "completed" ? part.state.kept : undefined;
}
