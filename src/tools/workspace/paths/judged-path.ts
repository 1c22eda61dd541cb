import type { BigIntStats } from "node:fs";
import type { FollowedLink } from "./resolve-links.ts";

/** What stands at a path. */
export type PathKind = "file" | "directory" | "missing";

/** A path that was judged. Tools use it, and never the text that it was made of. */
export interface JudgedPath {
  /** Without links: what was judged, and what is opened. */
  real: string;
  kind: PathKind;
  /** Absent when nothing is there. */
  stats?: BigIntStats | undefined;
  /** The root that it is in; absent when it is outside of all. */
  root?: string | undefined;
  /** What rules and people read: relative to the workspace in it, absolute outside; always with `/`. */
  name: string;
  /** The same for the path as it was asked for, when links led elsewhere. */
  askedAs?: string | undefined;
  links: readonly FollowedLink[];
}

/** What a person is told of a path: where it leads when it went through a link. */
export function describePath({ name, askedAs }: JudgedPath): string {
  return askedAs === undefined ? name : `${askedAs} (a link, which leads to ${name})`;
}
