import { unionIdKey } from "./identifiers.ts";

/** Whose data to find: by either number, by name, or by several of them. */
export interface Person {
  readonly unionId?: string;
  readonly lifeTimeId?: string;
  readonly name?: string;
}

/** Whether a text names a person. */
export type NamesPerson = (text: string) => boolean;

/** One spelling for all kinds of hyphens and of letters that look alike. @see Unicode, NFKC */
const plain = (text: string) => text.normalize("NFKC").replaceAll(/[\u2010-\u2015\u2212]/g, "-");

/** One form for a name: case, and how many blanks are between its parts, do not matter. */
const nameKey = (name: string) => plain(name).toLowerCase().trim().replaceAll(/\s+/g, " ");

const isLetter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether a text has another one in it that is not a part of a longer word. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + words.length])) return true;
  return false;
}

/** UnionIDs in a text. Neither a part of a GUID or of another number is one, nor year and month of a date. */
const unionIds =
  /(?<![0-9A-Za-z]|[0-9A-Za-z]-)\d+-[0-9A-Za-z]+(?![0-9A-Za-z]|-\d{2}(?!\d)|-[0-9A-Fa-f]{4}-)/g;

const isGuid = (text: string) => /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/.test(text);

/**
 * Makes the search for a person in texts. All spellings of a number are found: 077-1, 77-01, other hyphens, letters in any case; a
 * LifeTimeID also without its hyphen; a name in any case, and with the last name first.
 */
export function namesPerson({ unionId, lifeTimeId, name }: Person): NamesPerson {
  const union = unionId === undefined ? undefined : unionIdKey(plain(unionId));
  const digits = lifeTimeId === undefined ? undefined : plain(lifeTimeId).replaceAll("-", "").toUpperCase();
  const lifeTime =
    digits === undefined
      ? undefined
      : new RegExp(`(?<![0-9A-Z])${digits.slice(0, 6)}-?${digits.slice(6)}(?![0-9A-Z])`);
  const words = name === undefined ? undefined : nameKey(name);
  const parts = words?.split(" ") ?? [];
  const lastFirst = parts.length < 2 ? undefined : `${parts.at(-1)}, ${parts.slice(0, -1).join(" ")}`;
  return (text) => {
    if (isGuid(text)) return false;
    const normal = plain(text);
    if (union !== undefined && [...normal.matchAll(unionIds)].some(([found]) => unionIdKey(found) === union))
      return true;
    if (lifeTime?.test(normal.toUpperCase())) return true;
    if (words === undefined || words === "") return false;
    const key = nameKey(text);
    return hasWords(key, words) || (lastFirst !== undefined && hasWords(key, lastFirst));
  };
}
