import { pointerStep } from "../formats/json-pointer.ts";
import type { Findings } from "./findings.ts";

/**
 * Documented names, prepared for comparing others with them. A body of 5 MiB has hundreds of thousands of names, so each is
 * compared with those of about its length only, and one that is longer than all of them is not read at all.
 */
export interface DocumentedNames {
  readonly known: readonly { readonly name: string; readonly lowerCase: string }[];
  readonly maxLength: number;
}

/** Prepares the names of the documented fields of an object. */
export const documentedNames = (names: readonly string[]): DocumentedNames => ({
  known: names.map((name) => ({ name, lowerCase: name.toLowerCase() })),
  maxLength: Math.max(0, ...names.map(({ length }) => length)),
});

/** Whether two names, both in lower case, are equal but for one letter more, less or other. */
function isNearMiss(one: string, other: string): boolean {
  const [long, short] = one.length < other.length ? [other, one] : [one, other];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && long.charCodeAt(start) === short.charCodeAt(start)) start++;
  // Letters after the first that differs; an index into the shorter name is one less if that lacks the letter.
  const missing = long.length - short.length;
  for (let place = start + 1; place < long.length; place++)
    if (long.charCodeAt(place) !== short.charCodeAt(place - missing)) return false;
  return true;
}

/** The documented name that another is probably meant for; undefined if there is none. @param name not documented itself */
function meantName(name: string, { known, maxLength }: DocumentedNames): string | undefined {
  // A name in lower case is never shorter than as it was sent.
  if (name.length > maxLength + 1) return undefined;
  const sent = name.toLowerCase();
  const meant =
    known.find(({ lowerCase }) => lowerCase === sent) ??
    known.find(({ lowerCase }) => isNearMiss(sent, lowerCase));
  return meant?.name;
}

/**
 * The names that an object has instead of documented ones that it lacks, each by the documented name: the first if there are
 * several. Each name of the object is looked at once, whatever it lacks.
 */
export function misspellingsIn(object: object, documented: DocumentedNames): ReadonlyMap<string, string> {
  const isDocumented = new Set(documented.known.map(({ name }) => name));
  const found = new Map<string, string>();
  for (const sent of Object.keys(object)) {
    const meant = isDocumented.has(sent) ? undefined : meantName(sent, documented);
    if (meant !== undefined && !found.has(meant)) found.set(meant, sent);
  }
  return found;
}

/**
 * The most misspelt fields of one card that are reported: the warnings are stored with the card, and real cards have a few. A
 * card may have thousands of names that nearly are one of the union's.
 */
export const maxMisspeltFields = 100;

/** A field that the table does not name. */
export interface UnknownField {
  /** The part of the card that it is in. */
  readonly of: {
    /** JSON pointer to it. @see RFC 6901 */
    readonly pointer: string;
    /** The part itself, as it was sent. */
    readonly fields: object;
    /** Its fields in the table. */
    readonly documented: DocumentedNames;
  };
  readonly name: string;
}

/** Warns of fields that the union does not document, but whose names are nearly those of fields that it does. */
export function warnOfMisspeltFields(unknown: readonly UnknownField[], findings: Findings): void {
  let reported = 0;
  for (const { of, name } of unknown) {
    const expected = meantName(name, of.documented);
    if (expected === undefined) continue;
    const isOtherCase = name.toLowerCase() === expected.toLowerCase();
    const unless = isOtherCase ? ` unless ${expected} is filled in` : "";
    const detail = `${name} is no field of the union's, but ${expected} is. It is not read, and passed on as sent${unless}. Send ${expected} if that is meant.`;
    findings.warn(`${of.pointer}/${pointerStep(name)}`, "field_misspelt", detail, {
      expected,
      received: name,
    });
    if (++reported === maxMisspeltFields) return;
  }
}
