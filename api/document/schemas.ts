import * as z from "zod/mini";
import { tenThousandthsSchema } from "../../core/formats/ten-thousandths.ts";
import { courseRating, handicapIndex, slopeRating } from "../../core/golf/field-forms.ts";
import { address, type JsonSchema, withoutNullablePatterns } from "../schema.ts";
import { cardSchemas } from "./scorecard-schemas.ts";

/** Every schema that `z.meta` has given an id, by name: the order in which modules load is no order for a document. */
export function documentedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of z.globalRegistry._idmap) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: address, override: readable });
  const bare = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
    name,
    withUnions(schema) as JsonSchema,
  ]);
  const all: Record<string, JsonSchema> = Object.fromEntries(bare);
  const complete: Record<string, JsonSchema> = {
    ...(withoutNullablePatterns(all) as Record<string, JsonSchema>),
    ...numbersOrTexts,
    ...cardSchemas(all.Scorecard ?? {}),
  };
  return Object.fromEntries(Object.entries(complete).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Removes bounds and patterns that only repeat the type, leaves objects and lists of known values open, and keeps the
 * length of lists that are validated in two steps.
 */
function readable({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const values = jsonSchema.enum ?? [jsonSchema.const];
  if (Array.isArray(values) && values.every(Number.isInteger)) jsonSchema.type = "integer";
  const { def } = zodSchema._zod;
  const isTime = def.type === "string" && "format" in def && def.format === "datetime";
  if (isTime && z.globalRegistry.get(zodSchema)?.pattern === undefined) delete jsonSchema.pattern;
  // Members may be added to any answer, which some generated clients would refuse. Only a request has no others.
  const isStrict = def.type === "object" && def.catchall?._zod.def.type === "never";
  if (jsonSchema.additionalProperties === false && !isStrict) delete jsonSchema.additionalProperties;
  if (jsonSchema["x-extensible-enum"] !== undefined) delete jsonSchema.enum;
  if (def.type === "pipe" && jsonSchema.type === "array") {
    const { maxItems } = z.toJSONSchema(def.in) as JsonSchema;
    if (maxItems !== undefined) jsonSchema.maxItems = maxItems;
  }
}

/**
 * Writes "a text or null" as a list of types, since more generators read that than a union with null. Every other union is a
 * `oneOf`: some generators stop at a list of two types, such as integer and string, or take no notice of an `anyOf`.
 */
function withUnions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withUnions);
  if (typeof schema !== "object" || schema === null) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withUnions(value)]),
  );
  if (!Array.isArray(anyOf)) return withoutTypeList(rest);
  const all = (anyOf as JsonSchema[]).flatMap((one) => (Array.isArray(one.oneOf) ? one.oneOf : [one]));
  const [first, second, ...others] = all;
  const isNullable =
    others.length === 0 &&
    second?.type === "null" &&
    first?.enum === undefined &&
    typeof first?.type === "string";
  if (!isNullable) return union(rest, all);
  return { ...first, type: [first.type, "null"], ...rest };
}

/**
 * A number that may also be a text. It has a name, which generators would otherwise take from the first field that has one; and it is no
 * `oneOf`, because Java takes the text of a number for both.
 */
const numbersOrTexts: Readonly<Record<string, JsonSchema>> = {
  ScaledNumber: numberOrText(
    tenThousandthsSchema,
    "A value times 10,000, as a whole number or as a text of one: 71.8 is 718000.",
  ),
  NumberOrText: {
    description: "A whole number, or a text of one.",
    anyOf: [{ type: "integer" }, { type: "string" }],
  },
  CourseRatingNumber: numberOrText(
    courseRating.schema(),
    "A Course Rating times 10,000, as a whole number or as a text of one: 71.8 is 718000.",
  ),
  HandicapIndexNumber: numberOrText(
    handicapIndex.schema(),
    "A Handicap Index times 10,000, as a whole number or as a text of one: 12.4 is 124000.",
  ),
  SlopeRatingNumber: numberOrText(
    slopeRating.schema(),
    "A Slope Rating, as a whole number or as a text of one.",
  ),
};

function numberOrText(schema: z.ZodMiniType<string | number>, description: string): JsonSchema {
  const { anyOf } = z.toJSONSchema(schema, { override: readable }) as JsonSchema;
  return { description, anyOf };
}

function union(rest: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema {
  const others = alternatives.filter(({ type }) => type !== "null");
  const [name] =
    Object.entries(numbersOrTexts).find(
      ([, { anyOf }]) => JSON.stringify(anyOf) === JSON.stringify(others),
    ) ?? [];
  if (name === undefined) return { ...rest, oneOf: alternatives };
  const named = { $ref: address(name) };
  return others.length === alternatives.length
    ? { ...rest, ...named }
    : { ...rest, oneOf: [named, { type: "null" }] };
}

/** A union in the place of a list of types that has more than one besides null. */
function withoutTypeList({ type, ...rest }: JsonSchema): JsonSchema {
  const isUnion = Array.isArray(type) && type.filter((one) => one !== "null").length > 1;
  if (isUnion)
    return union(
      rest,
      type.map((one) => ({ type: one })),
    );
  return type === undefined ? rest : { type, ...rest };
}
