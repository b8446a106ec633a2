import tableWords from "../words/table-words.json" with { type: "json" };

/** Headings that people and programs write above the column of a field, in the languages of their clubs, in the order of preference. */
const headings: Readonly<Record<string, string>> = tableWords.headings;

/** A heading as it is compared: in lower case, with words instead of signs. */
export const plainHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether a column has no heading of its own, only its place. */
export const isUnnamed = (name: string): boolean => /^\(\d+\)$/.test(name);

/** The words of a list, as headings are compared. */
export const readWords = (list: string): ReadonlySet<string> => new Set(list.split(",").map(plainHeading));

const ranks = new Map(Object.entries(headings).map(([kind, list]) => [kind, [...readWords(list)]]));
const kinds = new Map<string, string[]>();
for (const [kind, list] of ranks)
  for (const heading of list) kinds.set(heading, [...(kinds.get(heading) ?? []), kind]);

/** What a heading may be above, fields of a card or what they are made of, the likeliest first; empty if it is none that is known. */
export function kindsOfHeading(heading: string): readonly string[] {
  const plain = plainHeading(heading);
  return kinds.get(plain) ?? [];
}

/** How early a heading stands among those of its kind; the earliest is the plainest. */
export function rankOfHeading(heading: string, kind: string): number {
  const place = ranks.get(kind)?.indexOf(plainHeading(heading)) ?? -1;
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

/** What a heading may say of its hole, as in `Hole 1 (par 4, index 7)`. */
const aboutHole = /(?<=\d)(?: (?:par|si|index|indeks|idx|hcp) \d{1,2})+$/;

const maxHoles = 72;
const holesOfRound = 18;

/** The hole that a heading is above, and what stands around its number, as in `Hole 1 strokes`; hole 19 is hole 1 of the second round. */
export function holeOfHeading(
  heading: string,
): { readonly hole: number; readonly round: number; readonly around: string } | undefined {
  // Members' numbers and indexes, of a list that is read as one with a column a player.
  if (/^\d+[-.,]\d/.test(heading)) return undefined;
  const plain = plainHeading(heading).replace(aboutHole, "");
  const [, before = "", digits, after = ""] = /^(.*?)(\d{1,2})(\D*)$/.exec(plain) ?? [];
  const number = Number(digits);
  if (!(number >= 1 && number <= maxHoles)) return undefined;
  const round = Math.ceil(number / holesOfRound);
  return { hole: number - (round - 1) * holesOfRound, round, around: `${before.trim()}#${after.trim()}` };
}

const wordLists = {
  /** Of rows that are about the course or all players. */
  aside: readWords(tableWords.noPlayer),
  front: readWords(tableWords.frontNine),
  back: readWords(tableWords.backNine),
  /** What is counted on a hole beside strokes. */
  otherCounts: readWords(tableWords.otherCounts),
  holes: readWords(tableWords.holes),
  /** Of strokes as they were played. */
  gross: readWords(tableWords.gross),
};

/** Whether a text is a word of a list. */
export const isWord = (text: string, list: keyof typeof wordLists): boolean =>
  wordLists[list].has(plainHeading(text));

/** Headings of sums and handicaps in which numbers are not a member's. */
export const isMemberHeading = (heading: string): boolean =>
  kindsOfHeading(heading).some((kind) => kind === "Player/UnionID" || kind === "Player/LifeTimeID");

/** Whether a column has days, or words for them. */
export const isDayHeading = (heading: string): boolean => kindsOfHeading(heading).includes("Round/StartTime");

/** Formats in which a side has one score: nobody's round. */
export const sideFormats = new RegExp(
  tableWords.sideFormats.replaceAll(", ", "|").replaceAll(" ", ".?"),
  "iu",
);

/** Whether a cell says that its row is no player's. */
export const isAsideWord = (text: string): boolean => isWord(text, "aside");
