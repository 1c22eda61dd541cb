import { jsonSchema } from "ai";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Session, Turn, TurnResult } from "throughline";

declare const session: Session;

const schema = z.object({ day: z.string().transform((text) => new Date(text)), count: z.number().default(1) });

describe("the output of a prompt", () => {
  it("has the type that its schema makes", async () => {
    const turn = session.prompt("When?", { format: { type: "json_schema", schema } });
    expectTypeOf(turn).toEqualTypeOf<Turn<{ day: Date; count: number }>>();
    const result = await turn;
    expectTypeOf(result.output).toEqualTypeOf<{ day: Date; count: number } | undefined>();
    if (result.outcome === "answered") expectTypeOf(result.output).toEqualTypeOf<{ day: Date; count: number }>();
  });

  it("is unknown for a JSON Schema, and typed for one of the AI SDK", () => {
    expectTypeOf(session.prompt("Hi", { format: { type: "json_schema", schema: { type: "object" } } })).toEqualTypeOf<Turn>();
    expectTypeOf(session.prompt("Hi", { format: { type: "json_schema", schema: jsonSchema<{ a: number }>({ type: "object" }) } })).toEqualTypeOf<Turn<{ a: number }>>();
  });

  it("is undefined without a format", () => {
    expectTypeOf(session.prompt("Hi")).toEqualTypeOf<Turn<undefined>>();
    expectTypeOf(session.prompt("Hi", { maxSteps: 2 })).toEqualTypeOf<Turn<undefined>>();
    expectTypeOf(session.prompt("Hi", { format: { type: "text" } })).toEqualTypeOf<Turn<undefined>>();
    expectTypeOf<Turn<undefined>>().toExtend<Turn>();
    expectTypeOf<TurnResult<{ a: number }>>().toExtend<TurnResult>();
  });
});
