import { ConflictError } from "../../errors.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { OperationOf } from "../storage.ts";
import type { SessionView } from "./session-view.ts";

export function putArtifact(session: SessionView, { artifact }: OperationOf<"artifact.put">): void {
  session.artifacts.put(artifact.id, deepFreeze({ ...artifact, size: artifact.text.length }));
}

export function appendToArtifact(session: SessionView, operation: OperationOf<"artifact.append">): void {
  const { artifactID, offset, text } = operation;
  if (!session.artifacts.append(artifactID, offset, text)) {
    throw new ConflictError(`Artifact "${artifactID}" has no text that could go on at ${offset}.`, session.artifacts.get(artifactID));
  }
}
