import * as z from "zod/mini";
import * as courses from "../../../core/courses/documented-course.ts";
import { documentedMember, documentedMembership } from "../../../core/members/documented-member.ts";
import type { Fields } from "../../../core/scorecard/field-forms.ts";
import { fields, scorecardSchema } from "../../../core/scorecard/scorecard.ts";
import * as answers from "./answers.ts";
import { address, type JsonSchema, type SchemaName, schemaOf } from "./operation.ts";

/** The schemas that are made of those in the code. */
const named = {
  Club: courses.documentedClub,
  Course: courses.documentedCourseVersion,
  Tee: courses.documentedTee,
  Hole: courses.documentedHole,
  Member: documentedMember,
  Membership: documentedMembership,
  Scorecard: scorecardSchema,
  ScorecardEntry: answers.lenientEntrySchema,
  Validation: answers.validationSchema,
  Derivation: answers.derivationSchema,
  CardStatus: answers.cardStatusSchema,
  CardStatusList: answers.cardStatusListSchema,
  Finding: answers.findingSchema,
  Problem: answers.problemSchema,
} satisfies Record<Exclude<SchemaName, "FilledScorecard">, z.core.$ZodType>;

/** What every accepted card has, whatever its vendor left out and the register lacks. */
const filledScorecard: JsonSchema = {
  description:
    "A scorecard with its ID and every derived field filled in. TeeRating and TeeSlope are missing if the register has none.",
  allOf: [schemaOf("Scorecard")],
  ...alwaysFilled(fields.card),
};

function alwaysFilled(of: Fields): JsonSchema {
  const all = Object.entries(of);
  return {
    required: all.filter(([, field]) => field.alwaysFilled).map(([name]) => name),
    properties: Object.fromEntries(
      all.flatMap(([name, { form }]) => (form.fields ? [[name, alwaysFilled(form.fields)]] : [])),
    ),
  };
}

/** Every schema of the document, made from the schemas that requests and the register are read with. */
export function documentedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: address, override: readable });
  const bare = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]);
  return { ...Object.fromEntries(bare), FilledScorecard: filledScorecard };
}

/** Removes bounds and patterns that only repeat the type, and keeps the length of lists that are validated in two steps. */
function readable({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  const { def } = zodSchema._zod;
  if (def.type === "pipe" && jsonSchema.type === "array") {
    const { maxItems } = z.toJSONSchema(def.in) as JsonSchema;
    if (maxItems !== undefined) jsonSchema.maxItems = maxItems;
  }
}
