import { z } from "zod";

/** A schema for every field of `T`: none missing, none added, and none that accepts more than the field may hold. */
export type ShapeOf<T> = { [Field in keyof T]-?: z.ZodType<T[Field]> };

/**
 * An object as it is stored. Keys it does not know are kept: a row written by a newer minor version passes, and loses
 * nothing when it is written back. The type does not say so: an index signature would let every misspelt field compile.
 */
export function storedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.looseObject(shape);
}
