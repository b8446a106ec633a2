import fc from "fast-check";
import type { JsonSchema } from "../../../api/schema.ts";
import type { Json } from "../../core/golf/sample-cards.ts";

/** Finds the schema that a reference names. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Far beyond every bound of the document, and still an exact number. */
const maxInAll = Number.MAX_SAFE_INTEGER;
const lengthOfOpenTexts = 12;

const anyText = (constraints: fc.StringConstraints = {}) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ ...constraints, unit: "grapheme" }) },
    { weight: 1, arbitrary: fc.string({ ...constraints, unit: "binary" }) },
  );

/** Values of no particular form. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  anyText({ maxLength: lengthOfOpenTexts }),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 4 }), fc.integer(), { maxKeys: 2 }),
);

const typesOf = ({ type }: JsonSchema): readonly unknown[] => [type].flat();
const propertiesOf = (schema: JsonSchema) => (schema.properties ?? {}) as Record<string, JsonSchema>;
const requiredOf = (schema: JsonSchema) => (schema.required ?? []) as readonly string[];

/** The days that are written like those of the calendar, a few years on each side of the present. */
const days = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2030-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Instants of some weeks, as often as not with the offset of a time zone. */
const instants = fc
  .tuple(
    fc.date({ min: new Date("2026-06-01"), max: new Date("2026-07-10"), noInvalidDate: true }),
    fc.constantFrom("Z", "+02:00", "-10:00"),
  )
  .map(([date, offset]) => date.toISOString().replace("Z", offset));

function texts({ pattern, format, minLength, maxLength = lengthOfOpenTexts }: Json): fc.Arbitrary<string> {
  if (format === "date") return days;
  if (format === "date-time") return fc.oneof(instants, fc.stringMatching(new RegExp(pattern, "u")));
  const lengths = { ...(minLength !== undefined && { minLength }), maxLength };
  // Of what only excludes a sign, nearly all texts are.
  if (pattern === undefined || pattern.startsWith("^[^")) return anyText(lengths);
  return fc.stringMatching(new RegExp(pattern, "u"));
}

const wholes = ({ minimum = -maxInAll, maximum = maxInAll }: Json) =>
  fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));

function ofType(type: unknown, schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return texts(schema);
    case "integer":
      return wholes(schema);
    case "array": {
      const { items, minItems = 0, maxItems = 3 } = schema as Json;
      return fc.array(valuesOf(items, resolve), { minLength: minItems, maxLength: Math.min(maxItems, 20) });
    }
    case "object":
      return objects(schema, resolve);
    default:
      throw new Error(`No values are made of the type ${type}.`);
  }
}

function objects(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<Json> {
  const fields = Object.entries(propertiesOf(schema)).map(([name, property]) => [
    name,
    valuesOf(property, resolve),
  ]);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: requiredOf(schema) as never[] });
  if (schema.additionalProperties === false) return known;
  if (schema.propertyNames !== undefined) {
    const { propertyNames, additionalProperties, maxProperties = 3 } = schema as Json;
    const name = valuesOf(propertyNames, resolve) as fc.Arbitrary<string>;
    return fc.dictionary(name, valuesOf(additionalProperties, resolve), { maxKeys: maxProperties });
  }
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), anything, { maxKeys: 1 });
  return fc.tuple(others, known).map(([more, own]) => ({ ...more, ...own }));
}

/** Made once for each schema: to prepare the patterns of a card takes longer than all else. */
const made = new WeakMap<JsonSchema, fc.Arbitrary<unknown>>();

/**
 * Values that a schema of the document describes. It need not be exact: a validator says which values are valid.
 *
 * @throws Error if the schema has a type that this does not know
 */
export function valuesOf(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const known = made.get(schema) ?? makeValues(schema, resolve);
  made.set(schema, known);
  return known;
}

function makeValues(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const { enum: values, anyOf, oneOf = anyOf } = schema as Json;
  if (schema.$ref !== undefined) return valuesOf(resolve(schema), resolve);
  if (values !== undefined) return fc.constantFrom(...values);
  if (oneOf !== undefined) return fc.oneof(...oneOf.map((one: JsonSchema) => valuesOf(one, resolve)));
  return fc.oneof(...typesOf(schema).map((type) => ofType(type, schema, resolve)));
}

/** A text with one character put in, taken out, replaced or put into another case, or a sign around it. */
function edited(text: string): fc.Arbitrary<string> {
  const characters = [...text];
  const sign = fc.constantFrom(..." 09-.,:aZ\u0663\n\ufffd\u{1f3cc}");
  return fc.tuple(fc.nat(characters.length), sign, fc.nat(8)).map(([at, other, kind]) => {
    const [before, after] = [characters.slice(0, at).join(""), characters.slice(at)];
    if (kind === 0) return before + other + after.join("");
    if (kind === 1) return before + after.slice(1).join("");
    if (kind === 2) return before + other + after.slice(1).join("");
    if (kind === 3) return ` ${text}`;
    if (kind === 4) return `${text}${other}`;
    if (kind === 5) return text.repeat(2);
    if (kind === 6) return text.toLowerCase();
    // Seconds of a time, for instance.
    if (kind === 7) return before + after.slice(3).join("");
    return text.toUpperCase();
  });
}

function spoiltList(list: readonly unknown[]): fc.Arbitrary<unknown> {
  const [first = 0] = list;
  const longer = fc.constantFrom([...list, first], Array(21).fill(first));
  const another = fc.oneof(fc.constant([]), longer, anything);
  if (list.length === 0) return another;
  const entry = fc.nat(list.length - 1).chain((at) => spoilt(list[at]).map((other) => list.with(at, other)));
  return fc.oneof({ weight: 4, arbitrary: entry }, { weight: 1, arbitrary: another });
}

/** More fields than an object of names may have. */
const many = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`X-${place}`, "1"]));

function spoiltObject(object: Json): fc.Arbitrary<unknown> {
  const stranger = fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), anything);
  const others = fc.oneof(
    stranger.map(([name, value]) => ({ ...object, [name]: value })),
    fc.constant({ ...object, ...many }),
    anything,
  );
  const names = Object.keys(object);
  if (names.length === 0) return others;
  const changed = fc
    .constantFrom(...names)
    .chain((name) => spoilt(object[name]).map((value) => ({ ...object, [name]: value })));
  const without = fc.constantFrom(...names).map((left) => {
    const { [left]: _, ...rest } = object;
    return rest;
  });
  return fc.oneof(
    { weight: 1, arbitrary: others },
    { weight: 10, arbitrary: changed },
    { weight: 2, arbitrary: without },
  );
}

/** A value of which one thing is changed, added or left out, at any depth: a schema may allow it all the same. */
export function spoilt(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "string") return fc.oneof(edited(value), edited(value), fc.constant(""), anything);
  if (typeof value === "number") {
    const near = [value - 1, value + 1, -value, value + 0.5, String(value), 1, -1, 999, 1e300];
    return fc.oneof(fc.constantFrom<unknown>(...near), anything);
  }
  if (Array.isArray(value)) return spoiltList(value);
  return typeof value === "object" && value !== null ? spoiltObject(value) : anything;
}
