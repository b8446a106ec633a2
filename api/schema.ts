import * as z from "zod/mini";

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** The type of what a schema describes, for code that makes it: nothing of it is changed. */
export type Shape<Schema extends z.ZodMiniType> = Immutable<z.output<Schema>>;

type Immutable<Value> = Value extends readonly (infer Entry)[]
  ? readonly Immutable<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/** An object of the document, by the name that generators give its model. */
export const defineObject = <const Fields extends z.core.$ZodShape>(
  id: string,
  fields: Fields,
  description?: string,
) => z.object(fields).check(z.meta({ id, ...(description !== undefined && { description }) }));

/** A schema with the words that the document says of it. */
export const describe = <Schema extends z.ZodMiniType>(schema: Schema, words: string): Schema =>
  schema.check(z.describe(words));

/** A schema of what may be left out. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema, words: string) =>
  describe(z.exactOptional(schema), words);

/** A whole number. */
export const whole = z.int();
/** An instant, ISO 8601, UTC. */
export const time = z.iso.datetime();
/** A day, e.g. `2026-07-04`. */
export const day = z.iso.date();
/** The link of a page to the one after it. */
export const nextPage = optional(z.string(), "Query of the next page; absent on the last.");

/** Address of a schema in the document. */
export const address = (name: string) => `#/components/schemas/${name}`;

/** A pattern that also takes the empty text. @param pattern with its anchors */
export const orEmpty = (pattern: string): string => `^(${pattern.slice(1, -1)})?$`;

/**
 * Takes the patterns of texts that may be null out of a schema of an answer. Generated Go clients cannot check them, and refuse a
 * whole answer for one.
 */
export function withoutNullablePatterns(schema: JsonSchema): JsonSchema {
  return takenOut(schema) as JsonSchema;
}

function takenOut(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(takenOut);
  if (typeof part !== "object" || part === null) return part;
  const { pattern, ...rest } = part as JsonSchema;
  const isDropped = typeof pattern === "string" && [rest.type].flat().includes("null");
  const kept = Object.entries(isDropped ? rest : part).map(([name, value]) => [name, takenOut(value)]);
  return Object.fromEntries(kept);
}

/** Refers to a schema by the name that `z.meta({ id })` gave it: generators name their models after it. */
export function refer(schema: z.core.$ZodType): JsonSchema {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error("A schema that is referred to has no id.");
  return { $ref: address(id) };
}

/** An array of a schema of the document. */
export function referToEach(schema: z.core.$ZodType): JsonSchema {
  return { type: "array", items: refer(schema) };
}
