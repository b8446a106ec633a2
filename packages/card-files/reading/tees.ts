import type { Course } from "@scorecard-pipeline/scorecards-client";
import tableWords from "../words/table-words.json" with { type: "json" };
import { plainHeading, readWords } from "./headings.ts";

/** 1 female, 2 male, as the union's register has it. */
export type Gender = 1 | 2;

/** A tee of a course that cards are sent for. */
export interface TeeChoice {
  readonly id: string;
  readonly name: string;
  readonly gender: Gender | undefined;
  readonly par: number;
  /** Times 10,000. */
  readonly rating: number;
  readonly slope: number;
  readonly pars: readonly number[];
  readonly indexes: readonly number[];
  readonly course: { readonly id: string; readonly name: string };
}

/** The tees of a course version, as choices. */
export const teesOf = ({ ID, Name, Tees }: Course): TeeChoice[] =>
  Tees.flatMap((tee) => {
    if (tee.ID === undefined) return [];
    const pars = tee.Holes.map(({ Par }) => Par);
    return [
      {
        id: tee.ID,
        name: tee.Name,
        gender: tee.Gender === 1 || tee.Gender === 2 ? tee.Gender : undefined,
        par: pars.reduce((sum, par) => sum + par, 0),
        rating: Number(tee.CourseRating),
        slope: Number(tee.SlopeRating),
        pars,
        indexes: tee.Holes.map(({ Index }) => Number(Index)),
        course: { id: ID, name: Name },
      },
    ];
  });

const female = readWords(tableWords.female);
const male = readWords(tableWords.male);

/** The gender that a cell says; undefined if it says none. */
export function genderOfText(text: string): Gender | undefined {
  const plain = plainHeading(text);
  if (female.has(plain)) return 1;
  return male.has(plain) ? 2 : undefined;
}

/** Colours by their names in the languages of the headings. */
const colours = tableWords.colours.map((names) => [...readWords(names)]);
const wordsToLeaveOut = readWords(tableWords.teeWords);

/** A tee's name as it is compared: without its gender, its number in front, and in any of the languages. */
function plainTee(text: string): { readonly name: string; readonly gender: Gender | undefined } {
  const all = plainHeading(text.replace(/^\d_/, ""))
    .split(" ")
    .filter((word) => !wordsToLeaveOut.has(word));
  const gender = all.length < 2 ? undefined : all.map(genderOfTeeWord).find((one) => one !== undefined);
  const kept = all.length < 2 ? all : all.filter((word) => genderOfTeeWord(word) === undefined);
  return {
    name: kept.map((word) => colours.find((names) => names.includes(word))?.[0] ?? word).join(" "),
    gender,
  };
}

/** A number in a tee's name is a length, no gender. */
const genderOfTeeWord = (word: string) => (/^\d+$/.test(word) ? undefined : genderOfText(word));

/** The tees that a text may mean, by its name, and by a gender if the text, or the player, has one. */
export function findTees(
  text: string,
  tees: readonly TeeChoice[],
  ofPlayer: Gender | undefined,
): readonly TeeChoice[] {
  const wanted = plainTee(text);
  const named = tees.filter(
    ({ id, name }) => id.toLowerCase() === text.toLowerCase() || plainTee(name).name === wanted.name,
  );
  const gender = wanted.gender ?? ofPlayer;
  const ofGender = gender === undefined ? named : named.filter((tee) => tee.gender === gender);
  if (ofGender.length > 0) return ofGender;
  return wanted.gender === undefined ? named : [];
}

/**
 * The Course Handicap by a Handicap Index and a tee.
 *
 * @param index Handicap Index times 10,000
 * @see Rules of Handicapping, 6.1a
 */
export function courseHandicapBy(index: number, { slope, rating, par }: TeeChoice): number {
  // In whole numbers, since products of decimals round wrongly at exact ties.
  return Math.floor((2 * (index * slope + (rating - par * 10_000) * 113) + 1_130_000) / (2 * 1_130_000)) + 0;
}

/** Strokes received on each hole, the hardest first. @see Rules of Handicapping, appendix E */
export function strokesOnHoles(handicap: number, indexes: readonly number[]): number[] {
  const everywhere = Math.floor(handicap / indexes.length);
  const rest = handicap - everywhere * indexes.length;
  const ranks = indexes.map((index) => indexes.filter((other) => other < index).length);
  return ranks.map((rank) => everywhere + (rank < rest ? 1 : 0));
}
