import { describeMedium, isImage, type Medium } from "./medium.ts";
import type { MediaLimits } from "./model-profile.ts";
import type { ModelFile } from "./model-prompt.ts";

/** Part of a message that carries a medium. */
export type MediaContent = Pick<ModelFile, "mediaType" | "data">;

/** Which media of a growing history are still shown, and which are only described, so that a request stays within limits. */
export interface MediaWindow {
  /** Takes the next medium that is sent. */
  add(content: MediaContent, medium: Medium): void;
  /**
   * Looks whether there are too many now. If so the oldest go until half of each limit is free again: then the messages
   * before stay as they are for a while, and a provider's cache with them. Only what was added decides, so that the same
   * history always shows the same media.
   *
   * @returns the content that has to go, with the text that takes its place; nothing when all may stay
   */
  evict(): Map<MediaContent, string> | undefined;
}

interface Meters {
  count: number;
  documents: number;
  characters: number;
}

export function createMediaWindow(limits: MediaLimits): MediaWindow {
  let shown: { content: MediaContent; medium: Medium }[] = [];
  const meters: Meters = { count: 0, documents: 0, characters: 0 };

  const isAbove = (share: number): boolean =>
    meters.count > limits.count * share || meters.documents > limits.documents * share || meters.characters > limits.totalCharacters * share;

  const measure = ({ data, mediaType }: Medium, sign: 1 | -1): void => {
    meters.count += sign;
    if (!isImage(mediaType)) meters.documents += sign;
    if (data?.type === "data") meters.characters += sign * data.data.length;
  };

  return {
    add(content, medium) {
      shown.push({ content, medium });
      measure(medium, 1);
    },
    evict() {
      if (!isAbove(1)) return undefined;
      const evicted = new Map<MediaContent, string>();
      for (const { content, medium } of shown) {
        // The newest stays if it can: it is what the model is to look at.
        if (!isAbove(evicted.size < shown.length - 1 ? 0.5 : 1)) break;
        measure(medium, -1);
        evicted.set(content, describeMedium(medium, "no longer shown, to make room for newer media"));
      }
      shown = shown.slice(evicted.size);
      return evicted;
    },
  };
}
