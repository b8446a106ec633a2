import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { CourseVersion, Tee } from "../../../core/golf/course.ts";
import { courseHandicapOf, scoreOf } from "./independent-score.ts";
import type { Json } from "./sample-cards.ts";
import { register, tee, version } from "./sample-courses.ts";

/** A tee with the holes that a round from it has, places from 0 in the list of the card. */
interface PlayedTee {
  readonly course: CourseVersion;
  readonly tee: Tee;
  /** The tee whose rating the round has: that of nine holes, if nine of eighteen are played. */
  readonly rated: Tee;
  /** Places of the holes of the round. */
  readonly places: readonly number[];
}

/** A card with what it must be filled in with. */
export interface DrawnCard {
  readonly card: Json;
  readonly expected: ReturnType<typeof scoreOf>;
  readonly courseHandicap: number;
  readonly tee: PlayedTee;
  readonly isAbroad: boolean;
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);
const eighteen = range(0, 18);

export function guid(random: SeededRandom): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.whole(0, 15).toString(16)).join("");
  return [8, 4, 4, 4, 12].map(hex).join("-").toUpperCase();
}

/** Pars of nine holes, 34 to 37. */
const parsOfNine = (random: SeededRandom) =>
  random.shuffled([4, 4, 4, 4, 3, 5, random.oneOf([3, 4]), random.oneOf([4, 5]), random.oneOf([3, 4, 5])]);

/** A tee, rated near its par for the gender. */
function ratedTee(random: SeededRandom, Name: string, Gender: 1 | 2, Holes: Tee["Holes"]): Tee {
  const par = sum(Holes.map(({ Par }) => Par ?? 0));
  const tenths = random.whole(-3 * Holes.length, 3 * Holes.length);
  return tee({
    ID: guid(random),
    Name,
    Gender,
    CourseRating: random.oneOf([par * 10_000 + tenths * 1_000, String(par * 10_000 + tenths * 1_000)]),
    SlopeRating: random.whole(90, 150),
    IsNineHole: Holes.length === 9,
    Holes,
  });
}

function holesOf(random: SeededRandom, pars: readonly number[], indexes: readonly number[]): Tee["Holes"] {
  return pars.map((Par, hole) => ({
    Number: hole + 1,
    Par,
    Index: indexes[hole] ?? null,
    Length: 100 * Par - random.whole(0, 60),
  }));
}

function courseOf(random: SeededRandom, Name: string, NumberOfHoles: number, Tees: Tee[]): CourseVersion {
  return version({
    ID: guid(random),
    TemplateID: guid(random),
    ClubID: guid(random),
    Name,
    NumberOfHoles,
    Tees,
  });
}

/** A course of eighteen holes with a tee of each gender, and rated tees of its two nines. */
function longCourse(random: SeededRandom, number: number): CourseVersion {
  const pars = [...parsOfNine(random), ...parsOfNine(random)];
  const odd = random.shuffled(range(0, 9).map((place) => 2 * place + 1));
  const indexes = random.chance(0.5)
    ? [...odd, ...random.shuffled(range(1, 10).map((place) => 2 * place))]
    : random.shuffled(range(1, 19));
  const holes = holesOf(random, pars, indexes);
  const of = (Name: string, Gender: 1 | 2) => [
    ratedTee(random, Name, Gender, holes),
    ratedTee(random, `${Name} 1-9`, Gender, holes.slice(0, 9)),
    ratedTee(random, `${Name} 10-18`, Gender, holes.slice(9)),
  ];
  return courseOf(random, `Park ${number}`, 18, [...of("Yellow", 2), ...of("Red", 1)]);
}

/** A loop of nine holes, whose indexes are 1 to 9, odd or even. */
function loop(random: SeededRandom, number: number): CourseVersion {
  const [times, more] = random.oneOf([
    [1, 1],
    [2, 1],
    [2, 2],
  ] as const);
  const indexes = random.shuffled(range(0, 9).map((place) => times * place + more));
  const holes = holesOf(random, parsOfNine(random), indexes);
  const tees = [ratedTee(random, "Yellow", 2, holes), ratedTee(random, "Red", 1, holes)];
  return courseOf(random, `Loop ${number}`, 9, tees);
}

/** The register that drawn cards are played on. */
export function drawnRegister(random: SeededRandom) {
  const courses = [
    ...range(0, 8).map((number) => longCourse(random, number)),
    ...range(0, 4).map((number) => loop(random, number)),
  ];
  return { courses, find: register(...courses) };
}

/** The tee of a round, and the holes that are played: all, a half, or one course's nine. */
function playedTee(random: SeededRandom, courses: readonly CourseVersion[]): PlayedTee {
  const course = random.oneOf(courses);
  const wholes = course.Tees.filter(({ Holes }) => Holes.length === course.NumberOfHoles);
  const whole = random.oneOf(wholes);
  const places = [...whole.Holes.keys()];
  if (places.length === 9 || !random.chance(0.2)) return { course, tee: whole, rated: whole, places };
  const isFront = random.chance(0.5);
  const name = `${whole.Name} ${isFront ? "1-9" : "10-18"}`;
  const rated = course.Tees.find(({ Name }) => Name === name) ?? whole;
  return { course, tee: whole, rated, places: isFront ? range(0, 9) : range(9, 18) };
}

/** Which holes of a round are played: all, or a part that began at the first or the tenth. */
function playedPlaces(random: SeededRandom, { places }: PlayedTee): readonly number[] {
  if (places.length < 18 || random.chance(0.75)) return places;
  const holes = random.weighted([
    [random.whole(10, 17), 4],
    [random.whole(1, 8), 1],
  ]);
  const first = random.chance(0.3) ? 9 : 0;
  return range(0, holes).map((hole) => (first + hole) % 18);
}

/** Strokes as a player of this handicap takes them; a few balls are picked up, never many. */
function strokesOf(
  random: SeededRandom,
  of: PlayedTee,
  played: readonly number[],
  handicap: number,
): number[] {
  const over = Math.max(0, handicap) / of.places.length;
  const strokes = of.tee.Holes.map(({ Par }, place) => {
    if (!played.includes(place)) return -1;
    return Math.max(2, (Par ?? 4) + Math.min(7, Math.max(-1, Math.round(random.around(over, 0.9)))));
  });
  if (played.length < 9) return strokes;
  for (const place of played) {
    const pickedUp = strokes.filter((taken) => taken === 0).length;
    if (pickedUp < 3 && random.chance(0.04)) strokes[place] = 0;
  }
  return strokes;
}

/** Playing Handicaps of the formats: allowances, gross Stableford, other tees, and a share in foursomes. */
function formatHandicap(random: SeededRandom, course: number): number {
  const percent = random.oneOf([100, 95, 90, 85, 80, 75, 50]);
  return random.weighted([
    [course, 10],
    [Math.floor((course * percent) / 100 + 0.5), 6],
    [0, 1],
    [course + random.whole(-6, 6), 1],
    [Math.ceil((Math.max(0, course) + random.whole(0, 20)) / 2), 1],
  ]);
}

/** Some of these fields. */
function some(random: SeededRandom, fields: Json, share: number): Json {
  return Object.fromEntries(Object.entries(fields).filter(() => random.chance(share)));
}

const asNumberOrText = (random: SeededRandom, value: number) => random.oneOf([value, String(value)]);

function courseFields(
  random: SeededRandom,
  of: PlayedTee,
  SPH: readonly number[],
  share: number,
  abroad: boolean,
): Json {
  const { course, tee: whole } = of;
  const Holes = whole.Holes.map((hole, place) => ({ ...hole, SPH: SPH[place] }));
  const TeePar = sum(whole.Holes.map(({ Par }) => Par ?? 0));
  const figures = { TeePar, TeeRating: whole.CourseRating, TeeSlope: whole.SlopeRating };
  if (abroad) return { Name: course.Name, Country: "SE", TeeName: whole.Name, ...figures, Holes };
  const id = random.oneOf([course.ID, course.TemplateID, course.TemplateID.toLowerCase()]);
  const names = { ClubID: course.ClubID, Name: course.Name, Country: "DK", TeeName: whole.Name };
  return {
    ...(random.chance(0.9) && { CourseID: id }),
    TeeID: random.chance(0.8) ? whole.ID : whole.ID?.toLowerCase(),
    ...some(random, { ...names, ...figures }, share),
    ...(random.chance(share) && {
      Holes: Holes.map((hole) => ({
        ...some(random, { Length: hole.Length, SPH: hole.SPH }, share),
        ...hole,
      })),
    }),
  };
}

/** A card that must be taken without a word. */
export function drawCard(random: SeededRandom, courses: readonly CourseVersion[], number: number): DrawnCard {
  const of = playedTee(random, courses);
  // A card abroad describes eighteen holes, or a course of nine.
  const isAbroad = of.rated === of.tee && random.chance(0.15);
  const index = random.weighted([
    [random.whole(-50, 360), 8],
    [random.whole(361, 720), 2],
  ]);
  const holes = of.rated.Holes.length;
  const par = sum(of.rated.Holes.map(({ Par }) => Par ?? 0));
  const rating = Number(of.rated.CourseRating);
  const { SlopeRating: slope } = of.rated;
  const course = courseHandicapOf({ index: index * 1_000, slope, rating, par, holes });
  const played = playedPlaces(random, of);
  const playing = formatHandicap(random, course);
  const pars = of.tee.Holes.map(({ Par }) => Par ?? 0);
  const indexes = of.tee.Holes.map(({ Index }) => Index ?? 0);
  const draw = () => {
    const strokes = strokesOf(random, of, played, course);
    const places = of.places.length === 18 ? eighteen : of.places;
    return { strokes, expected: scoreOf(pars, indexes, strokes, places, { course, playing }) };
  };
  // A card that is told has an exceptional score: one in a hundred of those that chance draws.
  const isExceptional = ({ expected }: ReturnType<typeof draw>) =>
    index / 10 - (18 / holes) * (113 / slope) * (expected.adjustedGross - rating / 10_000) >= 9.9;
  let round = draw();
  while (isExceptional(round) && played.length === of.places.length && index < 540) round = draw();
  const { strokes, expected } = round;
  const { Points, TotalPoints, TotalStrokes, adjustedGross } = expected;
  const share = random.oneOf([0, 0, 0.5, 1]);
  const isWhole = played.length === of.places.length;
  // Of a round that began at the tenth hole, the length says that those before it were not left out.
  const isCut = !isWhole && (played[0] !== 0 || random.chance(0.5));
  const day = random.whole(1, 28);
  const date = `202506${String(day).padStart(2, "0")}`;
  const card = {
    CreateDateTime: `${date}T190200`,
    ExternalID: `card-${number}`,
    HCP: asNumberOrText(random, index * 1_000),
    CourseHandicap: course,
    ...(playing !== course || random.chance(share) ? { PHCP: playing } : {}),
    Course: courseFields(random, of, expected.SPH, share, isAbroad),
    Round: {
      HolesPlayed: isCut ? played.length : of.places.length,
      RoundType: 1,
      StartTime: `${date}T${String(random.whole(6, 17)).padStart(2, "0")}${random.oneOf(["00", "08", "30"])}00`,
    },
    Result: {
      Strokes: strokes,
      IsQualifying: played.length >= (of.places.length === 18 ? 10 : 9) && !random.chance(0.2),
      ...some(random, { Points, TotalPoints, TotalStrokes }, share),
      ...some(random, isWhole ? { NetDoubleBogeyGross: adjustedGross } : {}, share),
    },
    Player: { UnionID: `1016-${number + 1}` },
    Marker: random.oneOf([{ FullName: "Marker One" }, { UnionID: "1017-5" }, { LifeTimeID: "010156-012" }]),
  };
  return { card, expected, courseHandicap: course, tee: of, isAbroad };
}
