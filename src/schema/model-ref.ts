import { z } from "zod";
import type { ModelRef } from "../message/model-ref.ts";
import { storedObject, type ShapeOf } from "./stored-object.ts";

/** Which model. */
export const modelRefSchema = storedObject({ providerID: z.string(), modelID: z.string() } satisfies ShapeOf<ModelRef>);
