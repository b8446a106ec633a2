import { hash } from "node:crypto";
import { generateCount, generateValues, generateValuesOfAll } from "../formats/generated-code.ts";
import type { Fields } from "./field-forms.ts";
import type { Findings } from "./findings.ts";
import { documentedNames, type MisspeltField, meantName } from "./misspelt-fields.ts";
import { type CardHole, fields, type Scorecard } from "./scorecard.ts";

const fieldsOf = (of: Fields) => ({
  names: new Set(Object.keys(of)),
  documented: documentedNames(Object.keys(of)),
  values: generateValues(of),
  countKnown: generateCount(of),
});
type Content = ReturnType<typeof fieldsOf>;

/** A card without its parts, one of its parts, or one of its holes. */
interface Part {
  readonly place: string;
  readonly fields: object;
  readonly content: Content;
}

const card = fieldsOf(fields.card);
const course = fieldsOf(fields.course);
const hole = fieldsOf(fields.hole);
const round = fieldsOf(fields.round);
const result = fieldsOf(fields.result);
const player = fieldsOf(fields.player);
const marker = fieldsOf(fields.marker);
const valuesOfHoles = generateValuesOfAll(fields.hole);

function partsOf(sent: Scorecard): readonly Part[] {
  return [
    { place: "", fields: sent, content: card },
    { place: "Course", fields: sent.Course, content: course },
    { place: "Round", fields: sent.Round, content: round },
    { place: "Result", fields: sent.Result, content: result },
    { place: "Player", fields: sent.Player, content: player },
    { place: "Marker", fields: sent.Marker, content: marker },
  ];
}

/** The content of a card: two cards with the same text say the same. */
export interface HashedContent {
  /** The same text for the same content. */
  readonly text: string;
  readonly misspelt: readonly MisspeltField[];
}

/**
 * The content of a card, with a text that stands for it: the same text for the same fields in any order, another one for other fields.
 *
 * It is JSON of the known fields' values, in the order of the table and without their names, which is shorter than the
 * card's own JSON and so faster to make. Unknown fields follow with their names.
 *
 * @returns undefined if an unknown field is nested too deep
 */
export function contentOf(sent: Scorecard): HashedContent | undefined {
  const { Course, Round, Result, Player, Marker } = sent;
  const { Holes: holes } = Course;
  const values = [
    card.values(sent),
    course.values(Course),
    round.values(Round),
    result.values(Result),
    player.values(Player),
    marker.values(Marker),
  ];
  const holeValues = holes && valuesOfHoles(holes);
  const mayHaveMore =
    hasMore(sent, card) ||
    hasMore(Course, course) ||
    hasMore(Round, round) ||
    hasMore(Result, result) ||
    hasMore(Player, player) ||
    hasMore(Marker, marker) ||
    (holes !== undefined && holeValues !== undefined && holesMayHaveMore(holes, holeValues));
  if (!mayHaveMore) return { text: JSON.stringify([values, holeValues]), misspelt: [] };
  if (isDeeperThan(sent, deepestNesting)) return undefined;
  const partsOfHoles = holes?.map((one, index) => ({ place: `Holes/${index}`, fields: one, content: hole }));
  const misspelt: MisspeltField[] = [];
  const named: string[] = [];
  for (const part of [...partsOf(sent), ...(partsOfHoles ?? [])]) addUnknownFields(part, misspelt, named);
  return { text: JSON.stringify([values, holeValues, named.sort()]), misspelt };
}

/** A short text that stands for the content of a card. @param text from `contentOf` */
export function contentHash(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Whether a part has unknown fields: counting is faster than looking up every name. */
function hasMore(part: object, { countKnown }: Content): boolean {
  return countFields(part) > countKnown(part);
}

/** Whether holes may have unknown fields. If one leaves something out, they are looked through. */
function holesMayHaveMore(holes: readonly CardHole[], values: readonly unknown[]): boolean {
  if (values.includes(undefined)) return true;
  let count = 0;
  for (const one of holes) count += countFields(one);
  return count > values.length;
}

/** How many fields an object has. `Object.keys` would make a list of each. */
function countFields(values: object): number {
  let count = 0;
  for (const _name in values) count++;
  return count;
}

/**
 * Adds the text of each unknown field of a part, and the misspelt ones. A body can have hundreds of thousands: each is looked at once, and what is
 * the same for all of a part is made once.
 */
function addUnknownFields(part: Part, misspelt: MisspeltField[], named: string[]): void {
  const { place, fields: values, content } = part;
  const { names, documented } = content;
  const pointer = place.startsWith("Holes/") ? `/Course/${place}` : place && `/${place}`;
  const of = { pointer, fields: values };
  const beginning = `[${JSON.stringify(place)},`;
  for (const name in values) {
    if (names.has(name)) continue;
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const text = mayHaveOrder(value) ? JSON.stringify(value, inOrder) : JSON.stringify(value);
    const meant = meantName(name, documented);
    if (meant !== undefined) misspelt.push({ of, name, ...meant });
    named.push(`${beginning}${JSON.stringify(name)},${text}]`);
  }
}

/** Whether a value has an object whose fields can be in another order. Writing with `inOrder` takes several times as long. */
function mayHaveOrder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(mayHaveOrder);
  let count = 0;
  for (const name in value)
    if (count++ > 0 || mayHaveOrder((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

/** Makes `JSON.stringify` write the fields of every object in the order of their names. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // There is nothing to sort, and copying each would be slow: a card may be full of empty objects.
  if (Object.keys(value).length < 2) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The most bytes of JSON that one card may have: a queue message has room for more. */
const maxBytes = 200 * 1024;
/** An upper bound for the names and punctuation of all known fields, which the content text leaves out. */
const namesOfFields = 4_096;
/** The most bytes that one character of JSON takes in UTF-8. */
const bytesPerCharacter = 3;

/**
 * Whether a card is too large or nested too deep to be checked; if so, a fault is reported.
 *
 * @param content undefined if it has not been looked at, or is nested too deep
 */
export function isOversized(card: object, content: HashedContent | undefined, findings: Findings): boolean {
  if (content === undefined && isDeeperThan(card, deepestNesting)) {
    const detail = `The card is nested deeper than ${deepestNesting} levels. Send less in the fields that are not the union's.`;
    findings.fault("", "card_too_deep", detail, { expected: `at most ${deepestNesting}` });
    return true;
  }
  const bytes = Buffer.byteLength(JSON.stringify(card));
  if (bytes <= maxBytes) return false;
  const detail = `The card has ${bytes} bytes of JSON, and may have ${maxBytes}. Send less in the fields that are not the union's.`;
  findings.fault("", "card_too_large", detail, { expected: `at most ${maxBytes}`, received: bytes });
  return true;
}

/**
 * Whether the text of a card's content is so short that the card cannot be oversized.
 *
 * Nearly all cards are that small, and need not be written as JSON to be measured.
 */
export function isSurelySmall(content: HashedContent | undefined): boolean {
  return content !== undefined && content.text.length * bytesPerCharacter + namesOfFields <= maxBytes;
}

/** More levels than any real card has, and far fewer than would exhaust the stack of a program that walks it. */
export const deepestNesting = 32;

/** Whether a JSON value is nested deeper than a number of levels. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((entry) => isDeeperThan(entry, levels - 1));
  // A list of the values of thousands of fields would be slow to make, and nearly all of them are no objects.
  for (const name in value) {
    const entry = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof entry === "object" && isDeeperThan(entry, levels - 1)) return true;
  }
  return false;
}
