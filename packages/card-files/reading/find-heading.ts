import { holeOfHeading, isAsideWord, isMemberHeading, kindsOfHeading, plainHeading } from "./headings.ts";

/** The heading of a grid: one name a column, made of one line or several. */
export interface Heading {
  /** Places of its first and its last line, from 0. */
  readonly first: number;
  readonly last: number;
  /** A name of its own for each column, in the order of the grid. */
  readonly names: readonly string[];
  readonly score: number;
}

const maxHeadingRow = 40;
const maxHeadingLines = 3;
const minScore = 6;
const minHoles = 9;

type Grid = readonly (readonly string[])[];

/** The names of columns below lines of headings, of which the upper ones may be merged over several columns. */
function joinLines(lines: Grid): string[] {
  const width = Math.max(0, ...lines.map(({ length }) => length));
  const names = Array.from({ length: width }, () => "");
  for (const [place, line] of lines.entries()) {
    const isLowest = place === lines.length - 1;
    let merged = "";
    for (let column = 0; column < width; column += 1) {
      const text = (line[column] ?? "").replaceAll(/\s+/g, " ").trim();
      if (text !== "") merged = text;
      const below = lines.slice(place + 1).some((other) => (other[column] ?? "") !== "");
      const part = isLowest || !below ? text : merged;
      if (part !== "" && names[column] !== part) names[column] = `${names[column]} ${part}`.trim();
    }
  }
  return names;
}

/** The plainest name that is known: that of all lines, or else that of the lowest or the highest. */
function chooseName(joined: string, lines: Grid, column: number): string {
  const isKnown = (text: string) => kindsOfHeading(text).length > 0;
  if (isKnown(joined) || lines.length === 1 || holeOfHeading(lines.at(-1)?.[column] ?? "") !== undefined)
    return joined;
  const own = lines
    .map((line) => (line[column] ?? "").replaceAll(/\s+/g, " ").trim())
    .filter((text) => text !== "");
  return own.toReversed().find(isKnown) ?? joined;
}

/** Names without repeats: a second `HCP` is `HCP (2)`, a column without one `(5)`. */
function makeUnique(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  const taken = new Set(names);
  return names.map((name, place) => {
    if (name === "") return `(${place + 1})`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    if (times === 1) return name;
    let unique = `${name} (${times})`;
    while (taken.has(unique)) unique += "'";
    taken.add(unique);
    return unique;
  });
}

function scoreNames(names: readonly string[]): number {
  const known = new Set(names.flatMap((name) => kindsOfHeading(name)[0] ?? []));
  const holes = new Set(names.flatMap((name) => holeOfHeading(name)?.hole ?? []));
  const distinct = new Set(names.filter((name) => name !== "")).size;
  return known.size * 2 + (holes.size >= minHoles ? 10 : 0) + distinct / 100;
}

const isEmptyLine = (line: readonly string[] | undefined) =>
  line === undefined || line.every((cell) => cell === "");

/**
 * Finds the heading of a grid among its first rows: the line, or the lines that are merged, in which most is known.
 *
 * @returns undefined if no line looks like one
 */
export function findHeading(grid: Grid): Heading | undefined {
  let best: Heading | undefined;
  for (let last = 0; last < Math.min(grid.length, maxHeadingRow); last += 1) {
    if (isEmptyLine(grid[last])) continue;
    for (let lines = 1; lines <= maxHeadingLines && lines <= last + 1; lines += 1) {
      const first = last - lines + 1;
      const taken = grid.slice(first, last + 1);
      if (isEmptyLine(taken[0]) || taken.some(isCourseRow)) break;
      const joined = joinLines(taken).map((name, column) => chooseName(name, taken, column));
      const score = scoreNames(joined);
      if (score > (best?.score ?? minScore - 0.01)) best = { first, last, names: makeUnique(joined), score };
    }
  }
  return best;
}

const isNumber = (text: string) => /^[+-]?\d+([.,]\d+)?$/.test(text);

/** Whether a row is the course's, as its pars or stroke indexes: a word for that, and numbers. */
function isCourseRow(row: readonly string[]): boolean {
  const texts = row.filter((cell) => cell !== "" && !isNumber(cell));
  const numbers = row.filter(isNumber).length;
  return numbers >= minHoles && texts.length > 0 && texts.length <= 3 && texts.some(isAsideWord);
}

/** Why a row is not read as a card. */
export type AsideReason = "title" | "course" | "heading" | "noRound" | "hidden";

/** Why a row below or above the heading is no player's; undefined if it may be one's. @param memberColumn that a person has said */
export function asideReason(
  row: readonly string[],
  heading: readonly string[],
  memberColumn: string | undefined,
): AsideReason | undefined {
  const filled = row.filter((cell) => cell !== "");
  const isMember = (name: string) => isMemberHeading(name) || name === memberColumn;
  // A player may be called Max.
  if (heading.some((name, place) => isMember(name) && /\d/.test(row[place] ?? ""))) return undefined;
  const texts = filled.filter((cell) => !isNumber(cell));
  // An M behind a name is a man, and no length in metres.
  const isOfCourse = texts.some((text, place) => isAsideWord(text) && (place === 0 || text.length > 1));
  if (texts.length <= 4 && isOfCourse && !texts.some((text) => /^\d+-\d+/.test(text))) return "course";
  const same = row.filter(
    (cell, place) => cell !== "" && plainHeading(cell) === plainHeading(heading[place] ?? ""),
  );
  if (filled.length > 2 && same.length > filled.length / 2) return "heading";
  return filled.length <= 2 && filled.length < heading.length / 3 ? "title" : undefined;
}
