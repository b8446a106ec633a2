import * as z from "zod/mini";
import {
  isExternalId,
  isGarbled,
  isReachable,
  maxExternalIdLength,
  ungarbledPattern,
  unreachableExternalIds,
} from "../formats/external-ids.ts";
import { generateCheck, generateListCheck } from "../formats/generated-code.ts";
import {
  guidSchema,
  identifierPatterns,
  isGuid,
  isMembersLifeTimeId,
  isUnionId,
  unionIdSchema,
} from "../formats/identifiers.ts";
import { isTenThousandths, maxTenThousandths } from "../formats/ten-thousandths.ts";
import { isTimestamp, timestampSchema } from "../formats/union-time.ts";
import type { FaultCode } from "./findings.ts";
import { maxHoles } from "./tee-numbers.ts";

/** The values that a field may have. */
export interface FieldForm<Value = unknown> {
  /** What the field must be, in words that follow "must be". */
  readonly words: string;
  /** Whether a value is of this form: the same answer as `schema` gives, about ten times as fast. */
  readonly fits: (value: unknown) => boolean;
  /** Says what is wrong with a value. Built on demand, because only a card with a fault needs it. */
  readonly schema: () => z.ZodMiniType<Value>;
  /** Of a whole number. */
  readonly bounds?: Bound;
  /** The fields of an object. */
  readonly fields?: Fields;
  /** The form of a list's entries. */
  readonly entry?: FieldForm;
  /** Whether it is an identifier: the empty text of one counts as left out. */
  readonly identifier?: true;
}

/** A field of a card or of one of its parts. */
export interface Field {
  readonly form: FieldForm;
  /** Whether a card without it is refused. If not, null counts as left out. */
  readonly required?: true;
  /** The source of its value if the sender leaves it out. */
  readonly filledFrom?: "register" | "rules" | "card" | "settings";
  /** Whether every accepted card has it; otherwise it stays out if the register or the rules give no value. */
  readonly alwaysFilled?: true;
  /** For the vendor's developer, in the OpenAPI document. */
  readonly description?: string;
}

/** The fields of an object by their names. */
export type Fields = Readonly<Record<string, Field>>;

type Bound = readonly [least: number, most: number];
type NamesOfRequired<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { required: true } ? Name : never;
}[keyof Of];
type ValueOf<Of extends Field> = Of["form"] extends FieldForm<infer Value> ? Value : never;

type NamesOfFilled<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { filledFrom: string } ? Name : never;
}[keyof Of];

/** Values for the fields that are filled in, undefined if there is none. */
export type FilledIn<Of extends Fields> = {
  readonly [Name in NamesOfFilled<Of>]: ValueOf<Of[Name]> | undefined;
};

/** An object with these fields. It may have others, too, which are kept. */
export type ObjectOf<Of extends Fields> = {
  -readonly [Name in NamesOfRequired<Of>]: ValueOf<Of[Name]>;
} & {
  -readonly [Name in Exclude<keyof Of, NamesOfRequired<Of>>]?: ValueOf<Of[Name]> | undefined;
};

function textForm<Value extends string>(
  words: string,
  isAllowed: (text: string) => boolean,
  schema: () => z.ZodMiniType<Value>,
): FieldForm<Value> {
  return { words, fits: (value) => typeof value === "string" && isAllowed(value), schema };
}

export const text: FieldForm<string> = textForm("a text", () => true, z.string);

function identifier<Value extends string>(
  words: string,
  isAllowed: (text: string) => boolean,
  schema: () => z.ZodMiniType<Value>,
): FieldForm<Value> {
  return { ...textForm(words, isAllowed, schema), identifier: true };
}

export const guid = identifier("a GUID, 8-4-4-4-12 hexadecimal digits", isGuid, () => guidSchema);

/** An identifier of the sender's own. */
export const localId = identifier("a text", (value) => value !== "", z.string);

const externalIdLengths = { minLength: 1, maxLength: maxExternalIdLength };

export const timestamp = textForm(
  "a real date and time of the form yyyymmddThhmmss, for instance 20250622T145700",
  isTimestamp,
  () => timestampSchema,
);

export const externalId = textForm(
  `a text of 1 to ${maxExternalIdLength} characters of your own that names the card`,
  (value) => isExternalId(value) && isReachable(value) && !isGarbled(value),
  () =>
    z.string().check(
      z.refine((value) => isExternalId(value) && isReachable(value), "external_id_invalid"),
      z.refine((value) => !isGarbled(value), "external_id_garbled"),
      z.meta({
        ...externalIdLengths,
        pattern: ungarbledPattern,
        not: { enum: unreachableExternalIds },
        description: `A name of your own for the card, at most ${maxExternalIdLength} UTF-16 units.`,
      }),
    ),
);

/** Only the form of a country code is checked: which codes are in use changes. */
const isCountry = (value: string) => /^[A-Za-z]{2}$/.test(value);
export const country = identifier("an ISO 3166 two-letter code, for instance DK", isCountry, () =>
  z.string().check(z.refine(isCountry, "country_invalid"), z.meta({ pattern: "^[A-Za-z]{2}$" })),
);

export const lifeTimeId = identifier(
  "of the form xxxxxx-xxx, for instance 010190-001, or of 12 digits",
  isMembersLifeTimeId,
  () =>
    z
      .string()
      .check(
        z.refine(isMembersLifeTimeId, "lifetime_id_invalid"),
        z.meta({ pattern: identifierPatterns.membersLifeTimeId }),
      ),
);
export const unionId = identifier(
  "the club's number and the member's number with a hyphen between, for instance 1016-1",
  isUnionId,
  () => unionIdSchema,
);

/** Below it, the factor of 10,000 was forgotten. */
const minTenThousandths = 1_000;

/** JSON Schema of the numbers between 0 and the least one, on both sides. */
const tooNearZero = {
  type: "integer",
  minimum: 1 - minTenThousandths,
  maximum: minTenThousandths - 1,
  not: { const: 0 },
};

/**
 * A Handicap Index or Course Rating: 0, or at least 0.1 from it.
 *
 * @param pattern of the numbers within the bounds as texts of at most fifteen characters
 */
function tenThousandths(words: string, [least, most]: Bound, pattern: string): FieldForm<string | number> {
  const isWithin = (value: number) =>
    value >= least && value <= most && (Math.abs(value) >= minTenThousandths || value === 0);
  // Another check reports a value that is not a number.
  const isAllowed = (value: unknown) => !isTenThousandths(value) || isWithin(Number(value));
  return {
    words,
    fits: (value) => isTenThousandths(value) && isWithin(Number(value)),
    schema: () =>
      z
        .union(
          [
            z.int().check(z.meta({ minimum: least, maximum: most, not: tooNearZero })),
            z
              .string()
              .check(
                z.refine(isTenThousandths, "ten_thousandths_invalid"),
                z.meta({ pattern, maxLength: maxTenThousandths }),
              ),
          ],
          "ten_thousandths_invalid",
        )
        .check(z.refine(isAllowed, "out_of_range")),
  };
}

export const courseRating = tenThousandths(
  'the Course Rating times 10,000, a whole number as text or number: 71.8 is "718000"',
  [0, 2_000_000],
  "^(-?0+|0*([1-9][0-9]{3,5}|1[0-9]{6}|2000000))$",
);

/** Beginners are above 54.0, plus players below 0. */
export const handicapIndex = tenThousandths(
  'the Handicap Index times 10,000 from -500000 to 2000000, a whole number as text or number: 12.4 is "124000"',
  [-500_000, 2_000_000],
  "^(-?0+|0*([1-9][0-9]{3,5}|1[0-9]{6}|2000000)|-0*([1-9][0-9]{3,4}|[1-4][0-9]{5}|500000))$",
);

const maxSlope = 9_999;
const isSlope = (value: unknown) =>
  isTenThousandths(value) && Number(value) >= 0 && Number(value) <= maxSlope;
export const slopeRating: FieldForm<string | number> = {
  words: "the Slope Rating, a whole number as number or text, for instance 119",
  fits: isSlope,
  schema: () =>
    z
      .union(
        [
          z.int().check(z.meta({ minimum: 0, maximum: maxSlope })),
          z.string().check(z.meta({ pattern: "^(-?0+|0*[0-9]{1,4})$", maxLength: maxTenThousandths })),
        ],
        "slope_invalid",
      )
      .check(z.refine(isSlope, "slope_invalid")),
};

export const roundType: FieldForm<1 | 2> = {
  words: "1 (general play) or 2 (tournament)",
  fits: (value) => value === 1 || value === 2,
  schema: () => z.literal([1, 2]).check(z.meta({ "x-enum-varnames": ["GeneralPlay", "Tournament"] })),
};

export const trueOrFalse: FieldForm<boolean> = {
  words: "true or false",
  fits: (value) => typeof value === "boolean",
  schema: () => z.boolean(),
};

/** A whole number within bounds. */
export function whole([least, most]: Bound, words = "a whole number"): FieldForm<number> {
  return {
    words,
    bounds: [least, most],
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    schema: () => z.int().check(z.minimum(least), z.maximum(most)),
  };
}

/**
 * A list with one entry per hole. If it is longer than any round, its entries are not looked at.
 *
 * @param tooLong the fault of a longer list
 */
export function perHole<Value>(
  words: string,
  entry: FieldForm<Value>,
  tooLong: FaultCode,
): FieldForm<Value[]> {
  return {
    words,
    entry,
    fits: generateListCheck(maxHoles, entry),
    schema: () => z.pipe(z.array(z.unknown()).check(z.maxLength(maxHoles, tooLong)), z.array(entry.schema())),
  };
}

/** An object with known fields, and possibly others. */
export function object<Of extends Fields>(
  fields: Of,
  words = "an object",
): FieldForm<ObjectOf<Of>> & { readonly fields: Of } {
  return { words, fields, fits: generateCheck(fields), schema: () => objectSchema(fields) };
}

/** A card's marker, who has a name or an identifier. */
export function marker<Of extends Fields>(fields: Of): FieldForm<ObjectOf<Of>> & { readonly fields: Of } {
  const isIdentified = ({ FullName, LifeTimeID, UnionID }: Readonly<Record<string, unknown>>) =>
    Boolean((typeof FullName === "string" && FullName.trim()) || LifeTimeID || UnionID);
  const { fits, schema } = object(fields);
  return {
    words: "an object with at least one of FullName, LifeTimeID and UnionID, not blank",
    fields,
    fits: (value) => fits(value) && isIdentified(value as Readonly<Record<string, unknown>>),
    schema: () =>
      schema().check(
        z.refine(isIdentified, "marker_unidentified"),
        z.describe("At least one of FullName, LifeTimeID and UnionID, not blank."),
      ),
  };
}

function objectSchema<Of extends Fields>(fields: Of): z.ZodMiniType<ObjectOf<Of>> {
  const shape = Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]);
  return z.looseObject(Object.fromEntries(shape)) as unknown as z.ZodMiniType<ObjectOf<Of>>;
}

const sources = {
  register: "the register, on a course of the union",
  rules: "the rules",
  card: "the card's other fields",
  settings: "the union's settings",
};

function fieldSchema({ form, required, filledFrom, description }: Field): z.ZodMiniType {
  const given = form.schema();
  const filled = filledFrom && `If left out, it is filled in from ${sources[filledFrom]}.`;
  const documented = [description, filled].filter(Boolean).join(" ");
  const schema: z.ZodMiniType = required ? given : z.nullish(given);
  return documented === "" ? schema : schema.check(z.describe(documented));
}
