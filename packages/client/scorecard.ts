import type { Scorecard as AnyFields } from "./api-types.ts";

/** The type without fields of any name, so that a misspelt field is an error. */
type KnownFields<Value> = Value extends readonly (infer Item)[]
  ? KnownFields<Item>[]
  : Value extends object
    ? { [Name in keyof Value as string extends Name ? never : Name]: KnownFields<Value[Name]> }
    : Value;

/** A scorecard as a vendor writes it. */
export type KnownScorecard = KnownFields<AnyFields>;
