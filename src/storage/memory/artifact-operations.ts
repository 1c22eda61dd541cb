import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { spliceText } from "./splice-text.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionRecord } from "./session-record.ts";

export function putArtifact(record: SessionRecord, { artifact }: OperationOf<"artifact.put">): void {
  record.artifacts.put(artifact.id, deepFreeze({ ...artifact, size: artifact.text.length }));
}

export function appendToArtifact(record: SessionRecord, operation: OperationOf<"artifact.append">): void {
  const { artifactID, offset } = operation;
  const artifact = record.artifacts.get(artifactID);
  if (artifact === undefined || offset > artifact.size) {
    throw new ConflictError(`Artifact "${artifactID}" has no text that could go on at ${offset}.`, artifact);
  }
  const text = spliceText(artifact.text, offset, operation.text);
  record.artifacts.put(artifactID, Object.freeze({ ...artifact, text, size: text.length }));
}
