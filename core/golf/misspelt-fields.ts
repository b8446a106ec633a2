import { pointerStep } from "../formats/json-pointer.ts";
import type { Findings } from "./findings.ts";

/**
 * Documented names, prepared for comparing others with them. A body of 5 MiB has hundreds of thousands of names, so each is
 * compared with those of about its length only, and one that is longer than all of them is not read at all.
 */
export interface DocumentedNames {
  readonly known: readonly { readonly name: string; readonly folded: string }[];
  readonly maxLength: number;
}

/** One spelling for names that a reader may take for the same. It takes both steps, because a long s is an S in upper case only. */
const foldCase = (name: string) => name.toUpperCase().toLowerCase();

/** Prepares the names of the documented fields of an object. */
export const documentedNames = (names: readonly string[]): DocumentedNames => ({
  known: names.map((name) => ({ name, folded: foldCase(name) })),
  maxLength: Math.max(0, ...names.map(({ length }) => length)),
});

/** Whether two names, both in one case, are equal but for one letter more, less or other. */
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
export function meantName(name: string, { known, maxLength }: DocumentedNames) {
  // A name in one case is never shorter than as it was sent.
  if (name.length > maxLength + 1) return undefined;
  const sent = foldCase(name);
  const sameName = known.find(({ folded }) => folded === sent);
  const meant = sameName ?? known.find(({ folded }) => isNearMiss(sent, folded));
  return meant && { expected: meant.name, isOtherCase: sameName !== undefined };
}

/**
 * The names that an object has instead of documented ones that it lacks, each by the documented name: the first if there are
 * several. Each name of the object is looked at once, whatever it lacks.
 */
export function misspellingsIn(object: object, documented: DocumentedNames): ReadonlyMap<string, string> {
  const isDocumented = new Set(documented.known.map(({ name }) => name));
  const found = new Map<string, string>();
  for (const sent of Object.keys(object)) {
    const meant = isDocumented.has(sent) ? undefined : meantName(sent, documented)?.expected;
    if (meant !== undefined && !found.has(meant)) found.set(meant, sent);
  }
  return found;
}

type Fields = Record<string, unknown>;

/** A field that the union does not document, but whose name is nearly that of one that it does. */
export interface MisspeltField {
  /** The part of the card that it is in, as it was sent, with a JSON pointer to it. @see RFC 6901 */
  readonly of: { readonly pointer: string; readonly fields: object };
  readonly name: string;
  /** The documented name. */
  readonly expected: string;
  /** Whether the names differ only by case. */
  readonly isOtherCase: boolean;
}

/**
 * The most misspelt fields of one card that are reported: the warnings are stored with the card, and real cards have a few. A
 * card may have thousands of names that nearly are one of the union's.
 */
export const maxMisspeltFields = 20;

const pointerTo = ({ of, name }: MisspeltField) => `${of.pointer}/${pointerStep(name)}`;

/** Warns of misspelt fields. */
export function warnOfMisspeltFields(misspelt: readonly MisspeltField[], findings: Findings): void {
  for (const field of misspelt.slice(0, maxMisspeltFields)) {
    const { name: received, expected, isOtherCase } = field;
    const unless = isOtherCase ? ` unless ${expected} is filled in` : "";
    const detail = `${received} is no field of the union's, but ${expected} is. It is not read, and passed on as sent${unless}. Send ${expected} if that is meant.`;
    findings.warn(pointerTo(field), "field_misspelt", detail, { expected, received });
  }
}

/** Reports each field that a card has twice but for the case: a reader that ignores case takes the last, and so another card. */
export function reportCaseDuplicates(misspelt: readonly MisspeltField[], findings: Findings): void {
  const firsts = new Map<string, string>();
  for (const field of misspelt) {
    const { of, name: received, expected: documented, isOtherCase } = field;
    if (!isOtherCase || findings.faults.length === maxMisspeltFields) continue;
    const place = `${of.pointer}/${documented}`;
    const expected = documented in of.fields ? documented : firsts.get(place);
    firsts.set(place, received);
    if (expected === undefined) continue;
    const detail = `The card has ${received} beside ${expected}. A program that ignores case reads one of them, another program the other. Leave ${received} out.`;
    findings.fault(pointerTo(field), "field_twice", detail, { expected, received });
  }
}

/**
 * Removes the other spellings of filled-in fields, so that the exchange gets each field once. A part with such a field is a copy of
 * what was sent, because something was filled in.
 */
export function dropCaseDuplicates(filled: object, misspelt: readonly MisspeltField[]): void {
  for (const { of, name, expected, isOtherCase } of misspelt) {
    if (!isOtherCase) continue;
    const steps = of.pointer.split("/").slice(1);
    const part = steps.reduce((at, step) => at[step] as Fields, filled as Fields);
    if (expected in part) delete part[name];
  }
}
