import { z } from "zod";
import type { FilePart, PartBase } from "../message/file-part.ts";
import { providerMetadataSchema } from "./json.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

/** The fields that every part has. */
export const partBaseShape = { id: z.string(), sessionID: z.string(), messageID: z.string() } satisfies ShapeOf<PartBase>;

/** A medium: an attachment of the user, or a file that the model made. */
export const filePartSchema = storedObject({
  ...partBaseShape,
  type: z.literal("file"),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
  reasoning: z.boolean().optional(),
  metadata: providerMetadataSchema.optional(),
} satisfies ShapeOf<FilePart>);
