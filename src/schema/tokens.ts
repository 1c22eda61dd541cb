import { z } from "zod";
import type { Tokens } from "../message/tokens.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

/** Token counts in disjoint buckets: finite, never negative. */
export const tokensSchema = storedObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  reasoning: z.number().nonnegative(),
  cache: storedObject({ read: z.number().nonnegative(), write: z.number().nonnegative() } satisfies ShapeOf<Tokens["cache"]>),
} satisfies ShapeOf<Tokens>);
