import type { UserContent } from "./model-prompt.ts";
import type { Part } from "./part.ts";
import type { ProjectionContext } from "./projection-context.ts";
import { describeMedium, isGivenAsText, mediumOfFile } from "./medium.ts";
import { projectMedium } from "./project-media.ts";
import { isBlank, wellFormed } from "./well-formed.ts";

// Labelled as context: a line that reads like a request would be answered instead of the user.
const subtaskLine = "[Context: the user had this task done by another agent. Its result follows.]";

/** What a user message says to the model, part by part. Empty when it says nothing. */
export function projectUser(parts: readonly Part[], context: ProjectionContext): UserContent[] {
  const contents: UserContent[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const content = projectPart(parts[index] as Part, context);
    if (content !== undefined) contents.push(content);
  }
  return contents;
}

function projectPart(part: Part, context: ProjectionContext): UserContent | undefined {
  switch (part.type) {
    case "text":
      return part.ignored === true ? undefined : textContent(wellFormed(part.text));
    case "file": {
      if (isGivenAsText(part)) return undefined;
      const medium = mediumOfFile(part);
      if (context.stripMedia) return textContent(describeMedium(medium, "attached by the user, not included"));
      const file = projectMedium(context.profile.userMedia, medium, context);
      return file ?? textContent(describeMedium(medium, "attached by the user, cannot be shown to this model"));
    }
    case "subtask":
      return textContent(subtaskLine);
    // What marks a compaction speaks once its summary follows. An agent that the user named is spelled out in a synthetic text; the rest is for people and for the engine.
    default:
      return undefined;
  }
}

/** A text for a user message, unless it is blank: no provider needs it, and some refuse it. */
export function textContent(text: string): UserContent | undefined {
  return isBlank(text) ? undefined : { type: "text", text };
}
