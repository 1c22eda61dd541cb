import { readFileSync } from "node:fs";
import type { SessionRecord } from "../memory/session-record.ts";
import type { OpenStore } from "./open-store.ts";

/** The sessions that may have asks. */
export function findAsks({ list, logs, paths }: OpenStore, { rootID }: { rootID?: string | undefined }): SessionRecord[] {
  return list.all().flatMap((summary) => {
    const session = summary.session();
    if (session === undefined || (rootID !== undefined && session.rootID !== rootID)) return [];
    const record = mayHaveAsks(paths.log(summary.name)) ? logs.passing(summary.name).record : undefined;
    return record === undefined ? [] : [record];
  });
}

/** Most sessions have none, and their files need not be parsed to see that: in a text, quotes are escaped. */
function mayHaveAsks(path: string): boolean {
  const bytes = readFileSync(path);
  return bytes.includes('"ask.put"') || bytes.includes('"row":"ask"');
}
