import type * as z from "zod/mini";
import { isLongNumber, withPlainNumbers } from "../formats/exact-json.ts";
import { isReachable } from "../formats/external-ids.ts";
import type { FieldForm, Fields as FieldTable } from "./field-forms.ts";
import { type FaultCode, type Findings, faultCodes } from "./findings.ts";
import { formHint, rounded, wrongFactor } from "./form-hints.ts";
import { documentedNames, misspellingsIn } from "./misspelt-fields.ts";
import {
  type CardReading,
  cardParts,
  formInWords,
  namesBeside,
  type ReadableCard,
  scorecardSchema,
  fields as table,
} from "./scorecard.ts";
import { maxHoles } from "./tee-numbers.ts";

type Fields = Record<string, unknown>;
type Path = readonly PropertyKey[];

/** Reads the well-formed fields of a card, and reports the others. @param timeZone of the union */
export function readFaultyCard(whole: object, timeZone: string, findings: Findings): CardReading {
  // A card may have thousands of other fields. Only the search for a misspelt name looks at them.
  const sent: Readonly<Fields> = { ...withPlainNumbers(documentedFields(whole as Fields, table.card)) };
  const found = scorecardSchema.safeParse(sent).error?.issues ?? [];
  // A huge number exceeds two bounds, that of any whole number and its own: the last issue of a field is kept.
  const issues = new Map(found.map((issue) => [pointerTo(issue.path), issue]));
  const card = readableCopy(sent);
  const ofOtherFormat = pointsBelowZero(sent, issues);
  const misspelling = misspellingsOf(whole as Fields);
  for (const [pointer, issue] of issues) {
    const { code, detail, ...values } = ofOtherFormat.includes(pointer)
      ? otherFormat(issue, sent)
      : shapeFault(issue, sent, misspelling, timeZone);
    if (!ofOtherFormat.includes(pointer, 1)) findings.fault(pointer, code, detail, values);
    // The fields of an unidentified marker can be read all the same.
    if (code !== "marker_unidentified") leaveOut(card, issue.path);
  }
  const strokes = valueAt(sent, ["Result", "Strokes"]);
  return {
    card: card as unknown as ReadableCard,
    unreadable: new Set(issues.keys()),
    strokesSent: Array.isArray(strokes) ? strokes.length : undefined,
  };
}

/**
 * Pointers to points below 0, which are reported once for all holes. In par/bogey and match play a hole counts 1, 0 or -1: those
 * are no Stableford points.
 *
 * @see Rules of Golf, 21.3
 */
function pointsBelowZero(sent: Readonly<Fields>, issues: ReadonlyMap<string, z.core.$ZodIssue>): string[] {
  return [...issues].flatMap(([pointer, { path }]) =>
    /^\/Result\/(Points\/\d+|TotalPoints)$/.test(pointer) && Number(valueAt(sent, path)) < 0 ? [pointer] : [],
  );
}

function otherFormat({ path }: z.core.$ZodIssue, sent: Readonly<Fields>): ShapeFault {
  const detail = `${path.join("/")} is below 0, but Points and TotalPoints are Stableford points. Those of other formats, such as par/bogey, are not sent: leave both out to have them filled in.`;
  return { code: "out_of_range", detail, expected: "at least 0", received: valueAt(sent, path) };
}

const pointerTo = (path: Path) => path.map((step) => `/${String(step)}`).join("");

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => (isObject(at) ? at[String(step)] : undefined), value);
}

/** A copy of an object and its parts that has the fields of the table only. */
function documentedFields(sent: Readonly<Fields>, fields: FieldTable): Fields {
  const copy: Fields = {};
  for (const [name, { form }] of Object.entries(fields))
    if (sent[name] !== undefined) copy[name] = documentedValue(sent[name], form);
  return copy;
}

function documentedValue(value: unknown, { fields, entry }: FieldForm): unknown {
  if (Array.isArray(value))
    return entry?.fields === undefined || value.length > maxHoles
      ? value
      : value.map((one: unknown) => documentedValue(one, entry));
  return fields !== undefined && isObject(value) && !isLongNumber(value)
    ? documentedFields(value, fields)
    : value;
}

/** A copy from which fields can be deleted, those of a hole included. Its parts and holes are all objects. */
function readableCopy(sent: Readonly<Fields>): Fields {
  const part = (value: unknown): Fields => (isObject(value) && !Array.isArray(value) ? { ...value } : {});
  const course = part(sent.Course);
  if (Array.isArray(course.Holes)) course.Holes = course.Holes.slice(0, maxHoles).map(part);
  return {
    ...sent,
    ...Object.fromEntries(cardParts.map((name) => [name, part(sent[name])])),
    Course: course,
  };
}

/** Deletes the field at a path; for an entry of a list of numbers, the whole list. */
function leaveOut(card: Fields, path: Path): void {
  const [first = "", second, place, field] = path.map(String);
  const part = card[first];
  if (second === undefined) {
    if (!cardParts.some((name) => name === first)) delete card[first];
  } else if (isObject(part)) {
    const hole =
      second === "Holes" && place !== undefined ? (part[second] as Fields[])[Number(place)] : undefined;
    if (hole === undefined) delete part[second];
    else if (field !== undefined) delete hole[field];
  }
}

/** A fault of a card's form. */
export interface ShapeFault {
  readonly code: FaultCode;
  readonly detail: string;
  readonly expected?: unknown;
  readonly received?: unknown;
}

const garbledExternalId =
  "ExternalID holds U+FFFD, which stands for what is not UTF-8: other cards could get the same. The body was probably written in another encoding. Send it in UTF-8.";

const unreachableExternalId =
  "The URL of a card ends in its ExternalID, and none can end in this one: . and .. are folders, and Validate is an operation. Send another one.";

const isFaultCode = (text: string): text is FaultCode => faultCodes.some((code) => code === text);

/** Describes an issue of the schema for the vendor. */
function shapeFault(
  issue: z.core.$ZodIssue,
  sent: Readonly<Fields>,
  misspelling: FindMisspelling,
  timeZone: string,
): ShapeFault {
  const received = valueAt(sent, issue.path);
  const field = issue.path.join("/");
  const mustBe = `${field} must be ${formInWords(field)}`;
  if (received === undefined) {
    const detail = `${field} is missing. ${misspelt(issue.path.map(String), misspelling)}${mustBe}.`;
    return { code: "required", detail: `${detail}${field === "HCP" ? withoutIndex : ""}` };
  }
  if (received === null) {
    const code = isFaultCode(issue.message) ? issue.message : "wrong_type";
    return { code, detail: `${field} is null. ${mustBe}.${field === "HCP" ? withoutIndex : ""}` };
  }
  if (issue.message === "external_id_garbled")
    return { code: issue.message, detail: garbledExternalId, ...shown(field, received) };
  if (issue.message === "external_id_invalid" && typeof received === "string" && !isReachable(received))
    return { code: issue.message, detail: unreachableExternalId, received };
  if (isFaultCode(issue.message)) {
    if (Array.isArray(received) && issue.code === "too_big") return tooLong(field, issue.message, received);
    const detail = `${wrongFactor(field, received)}${mustBe}.${formHint(issue.message, received, timeZone)}${field === "HCP" && isNoIndex(received) ? withoutIndex : ""}`;
    return { code: issue.message, detail, ...shown(field, received) };
  }
  if (issue.code === "too_big" || issue.code === "too_small") {
    const bound = Number(issue.code === "too_big" ? issue.maximum : issue.minimum);
    // The bound of any whole number, which its form does not have: the words name the form's own.
    if (Math.abs(bound) === Number.MAX_SAFE_INTEGER)
      return { code: "out_of_range", detail: `${mustBe}.`, ...shown(field, received) };
    const expected = issue.code === "too_big" ? `at most ${bound}` : `at least ${bound}`;
    const detail = `${wrongFactor(field, received)}${mustBe}, ${expected}.`;
    return { code: "out_of_range", detail, expected, ...shown(field, received) };
  }
  if (issue.code === "invalid_value" && typeof received === "number") {
    return { code: "value_not_allowed", detail: `${mustBe}.`, expected: issue.values, received };
  }
  const detail = `${mustBe}, not ${typeName(received)}.${rounded(field, received)}`;
  return { code: "wrong_type", detail, ...shown(field, received) };
}

/** What senders write for a player without a Handicap Index. */
const isNoIndex = (received: unknown) =>
  typeof received === "string" && /^(-*|n\/?[ha]|none)$/i.test(received.trim());

const withoutIndex =
  " For a player without a Handicap Index, send the one that the round was played off: 540000 at most by the rules.";

function tooLong(field: string, code: FaultCode, list: readonly unknown[]): ShapeFault {
  const detail = `${field} has more entries than a round has holes. Send one for each hole of the tee.`;
  return { code, detail, expected: `at most ${maxHoles}`, received: list.length };
}

function typeName(value: unknown): string {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return "a number of that size";
  if (typeof value === "number" && !Number.isInteger(value)) return "a fraction";
  if (Array.isArray(value)) return "a list";
  return (
    { string: "a text", number: "a number", boolean: "true or false" }[typeof value as string] ?? "an object"
  );
}

/** The name that a card has instead of that of a missing field, by the path of the field; undefined if there is none. */
type FindMisspelling = (path: readonly string[]) => string | undefined;

/** Finds misspelt names of a card. Those of an object are looked through once, however many fields it lacks. */
function misspellingsOf(sent: Readonly<Fields>): FindMisspelling {
  const found = new Map<unknown, ReadonlyMap<string, string>>();
  return (path) => {
    const beside = valueAt(sent, path.slice(0, -1));
    if (!isObject(beside)) return undefined;
    const ofObject = found.get(beside) ?? misspellingsIn(beside, documentedNames(namesBeside(path)));
    found.set(beside, ofObject);
    return ofObject.get(path.at(-1) ?? "");
  };
}

/** A sentence on a field that the card may have instead of a missing one; empty if there is none. */
function misspelt(path: readonly string[], misspelling: FindMisspelling): string {
  const found = misspelling(path);
  return found === undefined
    ? ""
    : `The card has ${shown("", found).received} instead: send it as ${path.at(-1)}. `;
}

const maxShownLength = 100;

/** The sent value, shortened; left out if it is an object or may be personal data. */
function shown(field: string, received: unknown): { received?: unknown } {
  if (/^(Player|Marker|Comment)\b/.test(field) || (typeof received === "object" && received !== null))
    return {};
  // JSON has no infinite number.
  if (typeof received === "number" && !Number.isFinite(received)) return {};
  return { received: typeof received === "string" ? received.slice(0, maxShownLength) : received };
}

/**
 * A card without the fields that its sender left unset: null where a field may be left out, and identifiers that are
 * the empty text. Typed clients write unset fields so. Fields that the table does not name are kept.
 *
 * @returns the card itself if it has none
 */
export function withoutUnset(card: object): object {
  return setFields(card as Fields, table.card);
}

function setFields(sent: Readonly<Fields>, fields: FieldTable): Readonly<Fields> {
  const changed = Object.entries(fields).flatMap(([name, { form, required }]) => {
    const value = sent[name];
    const isUnset = !required && (value === null || (value === "" && form.identifier === true));
    const kept = isUnset ? undefined : setValue(value, form);
    return kept === value ? [] : [[name, kept] as const];
  });
  if (changed.length === 0) return sent;
  const kept = { ...sent, ...Object.fromEntries(changed) };
  for (const [name, value] of changed) if (value === undefined) delete kept[name];
  return kept;
}

function setValue(value: unknown, { fields, entry }: FieldForm): unknown {
  if (entry?.fields !== undefined && Array.isArray(value)) {
    const entries: unknown[] = value.map((one) => setValue(one, entry));
    return entries.every((one, place) => one === value[place]) ? value : entries;
  }
  if (fields === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  return setFields(value as Fields, fields);
}
