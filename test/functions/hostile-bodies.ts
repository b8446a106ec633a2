import fc from "fast-check";
import { submissionLimits } from "../../core/cards/read-submission.ts";
import { fields } from "../../core/golf/scorecard.ts";
import { cardAbroad, fullCard, type Json, minimalCard } from "../core/golf/sample-cards.ts";
import { takeSubmission } from "./take-submission.ts";

/** What a hostile body is made of: a submission at the limit of its size, full of one kind of fields. */
export interface Recipe {
  readonly cards: number;
  readonly card: keyof typeof sampleCards;
  readonly fault: keyof typeof spoilers;
  /** The part of each card that has the fields. */
  readonly part: (typeof parts)[number];
  readonly names: keyof typeof namings;
  readonly values: (typeof fieldValues)[number];
  /** Share of the most that one card, or the submission, may have. More makes every card one that is too large. */
  readonly share: number;
}

const sampleCards = { minimal: minimalCard, full: fullCard, abroad: cardAbroad, empty: () => ({}) };

const parts = ["card", "Course", "Holes", "Round", "Result", "Player", "Marker"] as const;

const words = [...new Set(Object.values(fields).flatMap(Object.keys))];
const word = (place: number) => words[place % words.length] ?? "";
const number = (place: number) => place.toString(36);

/** A letter put into a name: each is nearly the name, and all differ. */
function nearMiss(place: number): string {
  const name = word(place);
  const at = Math.floor(place / words.length) % (name.length + 1);
  const letter = String.fromCharCode(0x100 + (Math.floor(place / words.length / (name.length + 1)) % 0xd000));
  return name.slice(0, at) + letter + name.slice(at);
}

/** A name in one of its spellings with capital and small letters. */
const spelling = (place: number) =>
  [...word(place)]
    .map((letter, bit) =>
      (Math.floor(place / words.length) >> bit) % 2 === 1 ? letter.toUpperCase() : letter.toLowerCase(),
    )
    .join("") + (place < words.length * 8 ? "" : number(place));

const namings = {
  short: number,
  "one length": (place: number) => `R${String(place).padStart(5, "0")}`,
  "near misses": nearMiss,
  spellings: spelling,
  "one beginning": (place: number) => `${"HomeClubName".repeat(4)}${number(place)}`,
  "one end": (place: number) => `${number(place)}${"HomeClubName".repeat(4)}`,
  "to be escaped": (place: number) => `~/~/"\\${number(place)}`,
  "longer in lower case": (place: number) => `\u0130\u0130${number(place)}`,
  numbers: (place: number) => `${place * 7919}`,
} as const;

const fieldValues = [
  "0",
  '""',
  "[]",
  "{}",
  "null",
  '{"b":1,"a":2}',
  "12345678901234567890",
  "1e5",
  '"\ufffd"',
  '"\\u0041"',
  "[[[[[[[[]]]]]]]]",
] as const;

const spoilers = {
  none: (card: Json) => card,
  handicap: (card: Json) => ({ ...card, HCP: "x" }),
  "no parts": ({ ExternalID, CreateDateTime }: Json) => ({ ExternalID, CreateDateTime }),
  "every hole": (card: Json) => ({
    ...card,
    Course: {
      ...card.Course,
      Holes: Array(18).fill({ Number: "", Par: "", Index: "", Length: "", SPH: "" }),
    },
    Result: { Strokes: Array(18).fill("x"), Points: Array(18).fill(-1), TotalPoints: -1 },
  }),
  "one name": (card: Json) => ({ ...card, ExternalID: "one" }),
  "an unset field": (card: Json) => ({ ...card, ID: "", PHCP: null }),
  "no CourseID": (card: Json) => ({ ...card, Course: { ClubName: "x" } }),
} as const;

/** The most bytes of one card that is not refused for its size alone. @see docs/submitting.md */
const maxFaultsOfCard = 195 * 1024;

/** The body of a recipe. */
export function bodyOf({ cards, card, fault, part, names, values, share }: Recipe): string {
  const most = Math.min((submissionLimits.bytes - 2) / cards, maxFaultsOfCard) * share;
  const texts = Array.from({ length: cards }, (_, index) => {
    const sample = sampleCards[card]({ ExternalID: `card ${index}` });
    const spoilt = JSON.stringify(spoilers[fault]({ ExternalID: `card ${index}`, ...sample }));
    const opening = part === "card" ? "{" : part === "Holes" ? '"Holes":[{' : `"${part}":{`;
    const at = spoilt.indexOf(opening);
    const place = at === -1 ? 1 : at + opening.length;
    return { before: spoilt.slice(0, place), after: spoilt.slice(place) };
  });
  const sizes = texts.map(({ before, after }) => Buffer.byteLength(before + after));
  let added = "";
  const room = most - Math.max(...sizes) - 2;
  for (let bytes = 0, count = 0; ; count++) {
    const field = `${JSON.stringify(namings[names](count))}:${values},`;
    bytes += Buffer.byteLength(field);
    if (bytes > room) break;
    added += field;
  }
  // A comma before a closing brace is no JSON.
  return `[${texts.map(({ before, after }) => before + (after.startsWith("}") ? added.slice(0, -1) : added) + after).join()}]`;
}

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const keysOf = <T extends object>(of: T) => oneOf(Object.keys(of) as (keyof T)[]);

/** Every ingredient of a recipe by itself, so that one can be exchanged. */
const ingredients = {
  cards: fc.oneof(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 20, max: 1000 })),
  card: keysOf(sampleCards),
  fault: keysOf(spoilers),
  part: oneOf(parts),
  names: keysOf(namings),
  values: oneOf(fieldValues),
  share: oneOf([1, 1, 1, 0.5, 0.1]),
} satisfies { [Name in keyof Recipe]: fc.Arbitrary<Recipe[Name]> };

/** Milliseconds of a processor that the answer to a body takes: the least of some attempts, since a busy machine adds to each. */
function millisecondsFor(body: string, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && least > enough; attempt++) {
    const begun = process.threadCpuUsage();
    takeSubmission(body);
    const { user, system } = process.threadCpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** A body that was tried. */
export interface Attempt {
  readonly recipe: Recipe;
  readonly milliseconds: number;
}

/**
 * Looks for bodies with slow answers: begins with any, and then exchanges one ingredient at a time and goes on with what is
 * slower. The same seed tries the same changes, but which of two is the slower depends on the machine, too.
 *
 * @param enough milliseconds of a processor; an answer that takes longer is tried again
 */
export function* searchForSlow(seed: number, bodies: number, enough: number): Generator<Attempt> {
  const recipes = fc.sample(fc.record<Recipe>(ingredients), { seed, numRuns: bodies });
  const changes = fc.sample(keysOf(ingredients), { seed, numRuns: bodies });
  let slowest: Attempt | undefined;
  for (const [place, other] of recipes.entries()) {
    const change = changes[place] ?? "names";
    const recipe: Recipe = slowest === undefined ? other : { ...slowest.recipe, [change]: other[change] };
    const milliseconds = millisecondsFor(bodyOf(recipe), enough);
    yield { recipe, milliseconds };
    if (slowest === undefined || milliseconds > slowest.milliseconds) slowest = { recipe, milliseconds };
  }
}
