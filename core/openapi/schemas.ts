import * as z from "zod";
import { documentedClub, documentedCourseVersion, documentedHole, documentedTee } from "../course/course.ts";
import { documentedMember, documentedMembership } from "../member/member.ts";
import { scorecardSchema } from "../scorecard/schema.ts";
import {
  cardStatusListSchema,
  cardStatusSchema,
  derivationSchema,
  findingSchema,
  lenientEntrySchema,
  problemSchema,
  validationSchema,
} from "./answers.ts";

/** A JSON Schema, as far as it is looked into here. */
export type JsonSchema = Record<string, unknown>;

const named = {
  Club: documentedClub,
  Course: documentedCourseVersion,
  Tee: documentedTee,
  Hole: documentedHole,
  Member: documentedMember,
  Membership: documentedMembership,
  Scorecard: scorecardSchema,
  ScorecardEntry: lenientEntrySchema,
  Validation: validationSchema,
  Derivation: derivationSchema,
  CardStatus: cardStatusSchema,
  CardStatusList: cardStatusListSchema,
  Finding: findingSchema,
  Problem: problemSchema,
};

/** The name of a schema of the document. */
export type SchemaName = keyof typeof named | "FilledScorecard";

const address = (name: string) => `#/components/schemas/${name}`;

/** Refers to a schema of the document. */
export function schemaOf(name: SchemaName): JsonSchema {
  return { $ref: address(name) };
}

/** A list of what a schema of the document describes. */
export function listOf(name: SchemaName): JsonSchema {
  return { type: "array", items: schemaOf(name) };
}

/** What every card that was accepted has, whatever its vendor left out. */
const filledScorecard: JsonSchema = {
  description: "A scorecard with its ID and every derived field filled in.",
  allOf: [schemaOf("Scorecard")],
  required: ["ID", "PHCP"],
  properties: {
    Course: { required: ["TeePar", "TeeRating", "TeeSlope", "Holes"] },
    Result: { required: ["Points", "TotalPoints", "TotalStrokes"] },
  },
};

/** Every schema of the document, made from the schemas that requests and the register are read with. */
export function documentedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: address, override: readable });
  const bare = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]);
  return { ...Object.fromEntries(bare), FilledScorecard: filledScorecard };
}

/** Takes off what says no more than "a number" or "a time", and keeps the length of lists that are read in two steps. */
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
