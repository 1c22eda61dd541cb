import { checkProfile } from "./check-profile.ts";
import { createMediaWindow, type MediaWindow } from "./media-window.ts";
import type { ModelProfile } from "./model-profile.ts";
import { toModelRef, type ModelRef } from "./model-ref.ts";
import { profileFor } from "./profile-for.ts";
import { createCallIDs, createToolNames, type CallIDs, type ToolNames } from "./project-call-id.ts";

/** What a history is projected for: a model (an AI SDK object or a stored reference), or bare wire rules. */
export type ProjectionTarget = ModelProfile | ModelRef | { provider: string; modelId: string };

export interface ProjectionOptions {
  /**
   * The model that a bare profile is used for. Without it all provider metadata stays at home, since it may only return
   * to the model that made it.
   */
  model?: ModelRef | undefined;
  /** Describe media in words instead of sending them, e.g. to summarise a history that is too large. Default false. */
  stripMedia?: boolean | undefined;
  /** Cut tool outputs to so many characters, and say so. Default: no limit. */
  toolOutputMaxChars?: number | undefined;
}

/** What all steps of one projection share. */
export interface ProjectionContext {
  profile: ModelProfile;
  model: ModelRef | undefined;
  stripMedia: boolean;
  toolOutputMaxChars: number | undefined;
  callIDs: CallIDs;
  toolNames: ToolNames;
  media: MediaWindow;
  /** Ids of provider-executed calls in this request whose result stands in a later message. */
  deferredCalls: Set<string>;
}

export function createContext(target: ProjectionTarget, options: ProjectionOptions): ProjectionContext {
  const { profile, model } = resolve(target, options.model);
  return {
    profile,
    model,
    stripMedia: options.stripMedia ?? false,
    toolOutputMaxChars: options.toolOutputMaxChars,
    callIDs: createCallIDs(profile.callID),
    toolNames: createToolNames(profile.toolName),
    media: createMediaWindow(profile.mediaLimits),
    deferredCalls: new Set(),
  };
}

function resolve(target: ProjectionTarget, givenModel: ModelRef | undefined): Pick<ProjectionContext, "profile" | "model"> {
  const profile = profileOf(target);
  if (profile !== undefined) return { profile, model: givenModel };
  const model = toModelRef(target, "profileOrModel", ", or one of modelProfiles");
  return { profile: profileFor(model), model };
}

/** The bare wire rules, when that is what was given. Callers without types pass anything. */
function profileOf(target: unknown): ModelProfile | undefined {
  if (typeof target !== "object" || target === null || !("alternation" in target)) return undefined;
  checkProfile(target, "profileOrModel");
  // checkProfile has found every rule.
  return target as ModelProfile;
}
