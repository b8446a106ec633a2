/** A person as a card names one; the texts may be anything. */
export interface NamedPerson {
  readonly LifeTimeID?: unknown;
  readonly FullName?: unknown;
}

/** A person as the union names one; the union's data are not always as documented. */
export interface RegisteredPerson {
  readonly LifeTimeID?: unknown;
  readonly FirstName?: unknown;
  readonly LastName?: unknown;
}

/** Letters that are no other letter with an accent. */
const letters: Readonly<Record<string, string>> = { æ: "a", ø: "o", ß: "ss", ð: "d", þ: "th", ł: "l" };

/** The words of a name, without case and accents. Spellings of a letter, as ø, oe and o, are one. */
export function foldName(name: string): string[] {
  const plain = name.normalize("NFD").toLowerCase().replaceAll(/\p{M}/gu, "");
  const folded = plain.replaceAll(/[æøßðþł]|a[ae]+|[ou]e/g, (spelt) => letters[spelt] ?? spelt.charAt(0));
  return folded.match(/\p{L}+/gu) ?? [];
}

/** Whether two words of names may be one; an initial stands for a word. */
export const isSameWord = (one: string, other: string) =>
  one === other || ((one.length === 1 || other.length === 1) && one[0] === other[0]);

/** Whether each word of the shorter name is in the longer one, in any order; an initial stands for a word. */
function isPartOf(shorter: readonly string[], longer: readonly string[]): boolean {
  const left = [...longer];
  // Whole words first, so that an initial does not take another word's place.
  return shorter
    .toSorted((one, other) => other.length - one.length)
    .every((word) => {
      const exact = left.indexOf(word);
      const place = exact >= 0 ? exact : left.findIndex((other) => isSameWord(word, other));
      if (place >= 0) left.splice(place, 1);
      return place >= 0;
    });
}

/** Whether two names may be one person's. */
export function isSameName(one: readonly string[], other: readonly string[]): boolean {
  if (one.join("") === other.join("")) return true;
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  if (isPartOf(shorter, longer)) return true;
  const ends = (name: readonly string[]) => [name[0], name.at(-1)] as const;
  // Middle names differ more often than people do.
  return one.length > 2 && other.length > 2 && ends(one).every((word, end) => word === ends(other)[end]);
}

/** Whether two full names have the same words, in any order: "Hansen, Bo" is "Bo Hansen". No initial stands for a word. */
export function isSameFullName(one: unknown, other: unknown): boolean {
  const [words, others] = [one, other].map((name) => foldName(textOf(name)).sort().join(" "));
  return words !== "" && words === others;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/**
 * Whether a card names another person than the one to whom its UnionID belongs. The LifeTimeID decides if both have one in the same
 * form; else the names do, and nothing is said if one is missing.
 */
export function isOtherPerson(named: NamedPerson, member: RegisteredPerson): boolean {
  const [sent, known] = [textOf(named.LifeTimeID), textOf(member.LifeTimeID)];
  // The union's document also describes it as twelve digits, which cannot be compared with the other form.
  if (sent !== "" && sent.length === known.length) return sent.toUpperCase() !== known.toUpperCase();
  const name = foldName(textOf(named.FullName));
  const registered = [textOf(member.FirstName), textOf(member.LastName)];
  if (name.length === 0 || registered.includes("")) return false;
  return !isSameName(name, foldName(registered.join(" ")));
}
