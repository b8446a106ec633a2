import { LRUCache } from "lru-cache";
import { isGuid, unionIdKey } from "./identifiers.ts";
import { foldName, isSameName, isSameWord } from "./same-person.ts";

/** Whose data to find: by either number, by name, or by several of them. */
export interface Person {
  readonly unionId?: string | undefined;
  readonly lifeTimeId?: string | undefined;
  readonly name?: string | undefined;
  /** Other spellings of the name. */
  readonly also?: readonly string[] | undefined;
}

/** Whether a text names a person. */
export type NamesPerson = (text: string) => boolean;

/** One spelling for all kinds of hyphens and of letters that look alike, without characters that nobody sees. @see Unicode, NFKC */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-");

/** UnionIDs in a text. Neither a part of a GUID or of another number is one, nor year and month of a date. */
const unionIds =
  /(?<![0-9A-Za-z]|[0-9A-Za-z]-)\d+-[0-9A-Za-z]+(?![0-9A-Za-z]|-\d{2}(?!\d)|-[0-9A-Fa-f]{4}-)/g;

/** LifeTimeIDs in a text in upper case, with their hyphen, another sign or none. */
const lifeTimeIds = /(?<![0-9A-Z])(?=([0-9A-Z]{6})[-_/. ]?((?:[0-9A-Z]{3}){1,2})(?![0-9A-Z]))/g;

/** How many words a name may be split into. */
const maxWords = 8;
/** A word with fewer letters may be another one, although a name of several parts has the same. */
const minLettersOfWord = 8;

/** Decodes the parts of a text that are encoded for a URL, also those of a URL in another one. */
function readable(text: string, times = 3): string {
  if (times === 0 || !text.includes("%")) return text;
  return readable(text.replaceAll(/(?:%[\da-f]{2})+/gi, decodeIfText), times - 1);
}

function decodeIfText(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** The words of a text by their letters only: without case, marks and all between letters, as apostrophes and hyphens. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    // Upper case between, in which a small ß is SS and a dotless i is I.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .match(/[\p{Ll}\p{Lo}]+/gu) ?? [];

/** All that a text has of what could name somebody, each in one spelling. However a name is split, some words together have its letters. */
function* keysIn(sent: string): Generator<string> {
  if (isGuid(sent)) return;
  const text = readable(sent);
  const normal = plain(text);
  for (const [found] of normal.matchAll(unionIds)) yield `union ${unionIdKey(found)}`;
  for (const [, first, last] of normal.toUpperCase().matchAll(lifeTimeIds)) yield `lifetime ${first}${last}`;
  const words = wordsOf(text);
  for (const [first, word] of words.entries()) {
    yield `word ${word}`;
    const end = Math.min(words.length, first + maxWords);
    for (let last = first + 2; last <= end; last += 1) yield `name ${words.slice(first, last).join("")}`;
  }
}

/** The parts of a name in every order; of a very long name, only those in which the first parts become the last ones. */
function joinInEveryOrder(parts: readonly string[]): string[] {
  if (parts.length < 2) return [...parts];
  return parts.flatMap((part, place) => {
    const others = [...parts.slice(place + 1), ...parts.slice(0, place)];
    const joined = parts.length > 5 ? [others.join("")] : joinInEveryOrder(others);
    return joined.map((rest) => part + rest);
  });
}

function keysOfName(name: string): string[] {
  const parts = wordsOf(name);
  return joinInEveryOrder(parts).flatMap((joined) => {
    // An initial at the end would make a genitive of the last name: Sørensens is no S. Sørensen.
    const endsInInitial = parts.some((part) => part.length === 1 && joined.endsWith(part));
    const isWord = parts.length === 1 || (joined.length >= minLettersOfWord && !endsInInitial);
    return [`name ${joined}`, ...(isWord ? [`word ${joined}`] : [])];
  });
}

const namesOf = ({ name, also = [] }: Person) => [...(name === undefined ? [] : [name]), ...also];

/** The keys of a person, each in the spelling of `keysIn`. */
export function keysOfPerson(person: Person): ReadonlySet<string> {
  const { unionId, lifeTimeId } = person;
  return new Set([
    ...(unionId === undefined ? [] : [`union ${unionIdKey(plain(unionId))}`]),
    ...(lifeTimeId === undefined ? [] : [`lifetime ${plain(lifeTimeId).replaceAll("-", "").toUpperCase()}`]),
    ...namesOf(person).flatMap(keysOfName),
  ]);
}

/**
 * Makes the search in texts for persons by their keys. Each spelling of a number is found: 077-1, 77-01, other hyphens, letters in any
 * case; a name by its letters, in any order of its parts.
 */
export const searchByKeys =
  (isKey: (key: string) => boolean): NamesPerson =>
  (text) =>
    keysIn(text).some(isKey);

/** Most texts are names of fields, or short and met often. */
const [maxRemembered, maxRememberedLength] = [10_000, 40];

function remember<Found extends object | boolean>(find: (text: string) => Found): (text: string) => Found {
  const found = new LRUCache<string, Found>({ max: maxRemembered, memoMethod: find });
  return (text) => (text.length > maxRememberedLength ? find(text) : found.memo(text));
}

/** Makes the search for a person in texts. */
export function namesPerson(person: Person): NamesPerson {
  const keys = keysOfPerson(person);
  return remember(searchByKeys((key) => keys.has(key)));
}

/** Whether these words may be somebody's name: the same words, with a middle name more or less, or with an initial for one. */
function mayBeName(words: readonly string[], name: readonly string[]): boolean {
  if (words.join("") === name.join("")) return true;
  const isOfName = (word = "") => name.some((one) => isSameWord(one, word));
  // An initial alone would be anybody's, and a word before or after the name is none of it.
  const hasWhole = words.length > 1 && words.some((word) => word.length > 1 && name.includes(word));
  return hasWhole && isOfName(words[0]) && isOfName(words.at(-1)) && isSameName(words, name);
}

const betweenWords = /[\s,_-]+/;

/** A word as names are compared loosely; an apostrophe does not split it, and an initial is one letter: Þ is not th. */
const foldWord = (word: string) =>
  foldName(word)
    .join("")
    .slice(0, /^\p{L}\.?$/u.test(word) ? 1 : undefined);

/** Parts of a text that resemble a name, as they are written. */
function resembling(text: string, name: readonly string[]): string[] {
  const words = text.match(/[\p{L}\p{M}\p{Cf}'’`´]+\.?/gu) ?? [];
  const folded = words.map(foldWord);
  const lengths = Array.from({ length: name.length + 1 }, (_, length) => length + 1);
  const parts = words.flatMap((_, first) =>
    lengths
      .filter((length) => mayBeName(folded.slice(first, first + length), name))
      .map((length) => words.slice(first, first + length).join(" ")),
  );
  return [...new Set(parts)];
}

/**
 * Makes the search for what only resembles a person: a middle name more or less, an initial, oe for ø, a short name in one word, or a
 * UnionID with another sign than a hyphen.
 *
 * @returns a function to the spellings in a text; none if the text names the person
 */
export function resemblesPerson(person: Person): (text: string) => string[] {
  const isNamed = namesPerson(person);
  const names = namesOf(person).map((name) => name.split(betweenWords).map(foldWord));
  const [club, member] = person.unionId === undefined ? [] : unionIdKey(plain(person.unionId)).split("-");
  const between = "[\\s\\p{Cf}]*[-_/\\p{Cf}][\\s\\p{Cf}]*";
  const number = club && new RegExp(`(?<![0-9A-Z])0*${club}${between}0*${member}(?![0-9A-Z])`, "giu");
  return remember((sent) => {
    if (isGuid(sent) || isNamed(sent)) return [];
    const text = readable(sent);
    const numbers = number ? text.normalize("NFKC").match(number) : null;
    return [...names.flatMap((name) => resembling(text, name)), ...(numbers ?? [])];
  });
}
