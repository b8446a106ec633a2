import type { Field, FieldForm, Fields } from "../../core/golf/field-forms.ts";
import { fields } from "../../core/golf/scorecard.ts";
import { address, type JsonSchema, orEmpty, withoutNullablePatterns } from "../schema.ts";

/** The names of the schemas of one of a card's objects. */
interface ObjectNames {
  readonly sent: string;
  /** Left out if the object is the same once it is filled in, and has no text that may be null and has a pattern. */
  readonly filled?: string;
}

/** Schemas within schemas would have no names of their own in a generated client. */
const names: ReadonlyMap<Fields, ObjectNames> = new Map<Fields, ObjectNames>([
  [fields.card, { sent: "Scorecard", filled: "FilledScorecard" }],
  [fields.course, { sent: "ScorecardCourse", filled: "FilledScorecardCourse" }],
  [fields.hole, { sent: "ScorecardHole", filled: "FilledScorecardHole" }],
  [fields.round, { sent: "ScorecardRound" }],
  [fields.result, { sent: "ScorecardResult", filled: "FilledScorecardResult" }],
  [fields.player, { sent: "ScorecardPlayer", filled: "FilledScorecardPlayer" }],
  [fields.marker, { sent: "ScorecardMarker", filled: "FilledScorecardMarker" }],
]);

/** Descriptions of the fields that every accepted card has, even if its vendor and the register left some out. */
const filledDescriptions: Readonly<Record<string, string>> = {
  FilledScorecard: "A scorecard with its ID and every derived field filled in.",
  FilledScorecardCourse: "TeeRating and TeeSlope are missing if the register has none.",
};

/**
 * The schemas of a card and of its objects, as vendors send them and as they are answered. They are written out: many
 * generators do not merge `allOf`.
 *
 * @param scorecard the schema of a card, with those of its objects within it
 */
export function cardSchemas(scorecard: JsonSchema): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};

  function add(of: Fields, schema: JsonSchema): void {
    const { sent, filled } = listNames(of);
    const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
    const every = Object.entries(of).map(([name, field]) => ({
      name,
      field,
      property: properties[name] ?? {},
    }));
    const makeProperties = (make: (field: Field, property: JsonSchema) => JsonSchema) =>
      Object.fromEntries(every.map(({ name, field, property }) => [name, make(field, property)]));

    schemas[sent] = {
      ...schema,
      properties: makeProperties((field, property) => named(field.form, asSent(field, property), "sent")),
    };
    if (filled !== undefined) {
      const { [filled]: description } = filledDescriptions;
      const always = every.filter(({ field }) => field.required || field.alwaysFilled);
      schemas[filled] = {
        ...schema,
        ...(description !== undefined && { description }),
        ...(always.length > 0 && { required: always.map(({ name }) => name) }),
        properties: makeProperties(({ form, alwaysFilled }, property) =>
          named(form, withoutNullablePatterns(alwaysFilled ? withoutNull(property) : property), "filled"),
        ),
      };
    }
    for (const { field, property } of every) {
      const { fields: ofObject, entry } = field.form;
      if (ofObject !== undefined) add(ofObject, property);
      if (entry?.fields !== undefined) add(entry.fields, property.items as JsonSchema);
    }
  }

  add(fields.card, scorecard);
  return schemas;
}

function listNames(of: Fields): ObjectNames {
  const found = names.get(of);
  if (found === undefined) throw new Error("An object of a card has no name in card-schemas.ts.");
  return found;
}

/** A property that refers to a schema by its name if it is an object or a list of objects. */
function named({ fields: of, entry }: FieldForm, property: JsonSchema, way: "sent" | "filled"): JsonSchema {
  const reference = (to: Fields) => ({ $ref: address(listNames(to)[way] ?? listNames(to).sent) });
  if (of !== undefined) return reference(of);
  return entry?.fields === undefined ? property : { ...property, items: reference(entry.fields) };
}

/** A property that a vendor may leave unset: typed clients write the empty text for an identifier. */
function asSent({ form, required }: Field, property: JsonSchema): JsonSchema {
  const mayBeEmpty = !required && form.identifier && typeof property.pattern === "string";
  return mayBeEmpty ? { ...property, pattern: orEmpty(String(property.pattern)) } : property;
}

function withoutNull({ type, oneOf, ...rest }: JsonSchema): JsonSchema {
  if (Array.isArray(oneOf)) {
    const others = oneOf.filter((one: JsonSchema) => one.type !== "null");
    return others.length === 1 ? { ...others[0], ...rest } : { ...rest, oneOf: others };
  }
  const types = [type].flat().filter((one) => one !== "null");
  return { type: types.length === 1 ? types[0] : types, ...rest };
}
