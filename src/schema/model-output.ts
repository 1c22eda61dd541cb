import { z } from "zod";
import type { ModelOutput, ModelOutputContent } from "../message/tool-state.ts";
import { jsonValueSchema } from "./json.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

type OutputOf<Type extends ModelOutput["type"]> = Extract<ModelOutput, { type: Type }>;
type ContentOf<Type extends ModelOutputContent["type"]> = Extract<ModelOutputContent, { type: Type }>;
type FileData = ContentOf<"file">["data"];
type FileDataOf<Type extends FileData["type"]> = Extract<FileData, { type: Type }>;

const fileDataSchema = z.discriminatedUnion("type", [
  storedObject({ type: z.literal("data"), data: z.string() } satisfies ShapeOf<FileDataOf<"data">>),
  storedObject({ type: z.literal("url"), url: z.string() } satisfies ShapeOf<FileDataOf<"url">>),
]);

/** One piece of a tool result that is more than one text. */
export const modelOutputContentSchema = z.discriminatedUnion("type", [
  storedObject({ type: z.literal("text"), text: z.string() } satisfies ShapeOf<ContentOf<"text">>),
  storedObject({
    type: z.literal("file"),
    mediaType: z.string(),
    filename: z.string().optional(),
    data: fileDataSchema,
  } satisfies ShapeOf<ContentOf<"file">>),
]);

/** What the model is shown as a tool's result. */
export const modelOutputSchema = z.discriminatedUnion("type", [
  storedObject({ type: z.literal("text"), value: z.string() } satisfies ShapeOf<OutputOf<"text">>),
  storedObject({ type: z.literal("json"), value: jsonValueSchema } satisfies ShapeOf<OutputOf<"json">>),
  storedObject({ type: z.literal("error-text"), value: z.string() } satisfies ShapeOf<OutputOf<"error-text">>),
  storedObject({ type: z.literal("error-json"), value: jsonValueSchema } satisfies ShapeOf<OutputOf<"error-json">>),
  storedObject({ type: z.literal("execution-denied"), reason: z.string().optional() } satisfies ShapeOf<OutputOf<"execution-denied">>),
  storedObject({ type: z.literal("content"), value: z.array(modelOutputContentSchema) } satisfies ShapeOf<OutputOf<"content">>),
]);
