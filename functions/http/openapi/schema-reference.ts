/** A JSON Schema, as far as it is looked into here. */
export type JsonSchema = Record<string, unknown>;

/** The name of a schema of the document. */
export type SchemaName =
  | "Club"
  | "Course"
  | "Tee"
  | "Hole"
  | "Member"
  | "Membership"
  | "Scorecard"
  | "ScorecardEntry"
  | "FilledScorecard"
  | "Validation"
  | "Derivation"
  | "CardStatus"
  | "CardStatusList"
  | "Finding"
  | "Problem";

/** Where in the document a schema is. */
export const address = (name: string) => `#/components/schemas/${name}`;

/** Refers to a schema of the document. */
export function schemaOf(name: SchemaName): JsonSchema {
  return { $ref: address(name) };
}

/** A list of what a schema of the document describes. */
export function listOf(name: SchemaName): JsonSchema {
  return { type: "array", items: schemaOf(name) };
}
