import type { UnionClub, UnionCourseVersion, UnionMember } from "@scorecard-pipeline/stand-in";
import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { chunks } from "../../core/formats/chunks.ts";
import { dayMilliseconds } from "../../core/formats/days.ts";
import { instantOf, timestampOf, wallClockAt } from "../../core/formats/union-time.ts";
import { type PlayableTee, playableTees } from "../../core/smoke-test/playable-tee.ts";
import { fullCard, minimalCard, type SampleRound, type SampleScorecard, typicalCard } from "./card-shapes.ts";
import { type Golfer, golferOf, isMistyped, mistyped } from "./golfer.ts";
import { type Course, coursesOf, isFutureCourse, versionInForce } from "./playable-course.ts";
import { handicapsFor, playHoles } from "./score.ts";
import { type WrongKind, wrongCardsInTurn } from "./wrong-card.ts";

/** The expected outcome of a card. */
export type Expectation =
  /** `warning`: the code of the warning that the delivered card soon gets, if the union answers. */
  | { readonly kind: "delivered"; readonly warning?: "player_unknown" }
  | { readonly kind: "refused"; readonly code: WrongKind };

/** A card with its expected outcome. */
export interface SampleCard {
  readonly card: SampleScorecard;
  readonly expected: Expectation;
}

/** Cards that one of the two vendors submits together. */
export interface SampleSubmission {
  readonly vendor: 0 | 1;
  readonly cards: readonly SampleCard[];
}

/** The register, the time and the ExternalIDs that a sample tournament is made from. */
export interface TournamentOptions {
  /** As in the union's responses. */
  readonly clubs: readonly UnionClub[];
  /** Every version, also future ones. */
  readonly courses: readonly UnionCourseVersion[];
  readonly members: readonly UnionMember[];
  readonly seed: number;
  /** Prefix of every ExternalID, so that two runs have different ones. */
  readonly run: string;
  readonly now: Date;
  /** The union's, an IANA name. */
  readonly timeZone: string;
  /** The union's, ISO 3166. */
  readonly country: string;
}

const players = 144;
const flightSize = 3;
const maxCourses = 12;
const cardsPerSubmission = 24;
/** One card in twelve is invalid. */
const wrongShare = 12;
/** Minutes since midnight. */
const firstTeeTime = 8 * 60;
const minutesBetweenFlights = 8;
const roundMinutes = 255;

const shapes: readonly [(played: SampleRound) => SampleScorecard, number][] = [
  [minimalCard, 0.7],
  [typicalCard, 0.2],
  [fullCard, 0.1],
];

/**
 * A tournament of 144 players over two rounds, the day before yesterday and yesterday, on courses of the union. One card
 * in twelve has a fault that the exchange would accept without a report. The last player's UnionID is mistyped.
 *
 * The same options always give the same submissions.
 *
 * @throws Error if the register has too few members, or no course of 18 holes in force
 */
export function sampleTournament(options: TournamentOptions): SampleSubmission[] {
  const random = seededRandom(options.seed);
  const courses = coursesOf(options.clubs, options.courses);
  const rounds = playRounds(options, courses, random);
  const yetToCome = courses.filter((course) => isFutureCourse(course, options.now));
  const nextWrongCard = wrongCardsInTurn();

  const cards: SampleCard[] = [];
  let wrongPlace = 0;
  for (const [place, played] of rounds.entries()) {
    // Never the first of a dozen: a repeated ExternalID needs a card before it.
    if (place % wrongShare === 0) wrongPlace = place + random.whole(1, wrongShare - 1);
    const shape = random.weighted(shapes);
    const previous = cards.at(-1)?.card;
    if (place === wrongPlace && previous !== undefined) {
      const { card, code } = nextWrongCard(played, { courses, yetToCome, previous });
      cards.push({ card, expected: { kind: "refused", code } });
    } else {
      const warning = isMistyped(played.player) && { warning: "player_unknown" as const };
      cards.push({ card: shape(played), expected: { kind: "delivered", ...warning } });
    }
  }
  return chunks(cards, cardsPerSubmission).map((ofSubmission, number) => ({
    vendor: number % 2 === 0 ? 0 : 1,
    cards: ofSubmission,
  }));
}

/** Every player's two rounds, in the order in which they were started. */
function playRounds(
  options: TournamentOptions,
  courses: readonly Course[],
  random: SeededRandom,
): SampleRound[] {
  const { now, timeZone, country, run } = options;
  const earliest = teeTime(now, timeZone, 2, firstTeeTime).instant;
  const fit = random.shuffled(courses).filter((course) => isPlayableSince(course, earliest));
  const field = fit.slice(0, maxCourses);
  if (field.length === 0) throw new Error("The sample needs a course of 18 holes that is in force.");
  const entered = random.shuffled(options.members).flatMap((member) => golferOf(member) ?? []);
  if (entered.length < players) {
    throw new Error(`The sample needs ${players} members with a handicap; there are ${entered.length}.`);
  }

  return [1, 2].flatMap((round) =>
    entered.slice(0, players).map((player, number) => {
      const flight = Math.floor(number / flightSize);
      const course = field[(flight + round) % field.length] as Course;
      const minutes = firstTeeTime + Math.floor(flight / field.length) * minutesBetweenFlights;
      const start = teeTime(now, timeZone, 3 - round, minutes);
      const marks = flight * flightSize + ((number + 1) % flightSize);
      const version = versionInForce(course, start.instant) as UnionCourseVersion;
      const tee = teeFor(player, version, random);
      const handicaps = handicapsFor(player.handicapIndex, tee);
      return {
        externalId: `${run}-${round}-${String(number + 1).padStart(3, "0")}`,
        player: number === players - 1 ? mistyped(player) : player,
        marker: entered[marks] as Golfer,
        club: course.club,
        version,
        country,
        courseId: random.chance(0.25) ? course.templateId : version.ID,
        tee,
        round,
        startTime: start.timestamp,
        createdAt: teeTime(now, timeZone, 3 - round, minutes + roundMinutes).timestamp,
        ...handicaps,
        strokes: playHoles(handicaps.courseHandicap, tee, random),
      };
    }),
  );
}

/** Whether a course was in force at an instant, and all its active versions can be played over 18 holes. */
function isPlayableSince(course: Course, instant: number): boolean {
  const active = course.versions.filter(({ IsActive }) => IsActive);
  return (
    versionInForce(course, instant) !== undefined &&
    active.every((version) => playableTees(version).length > 0)
  );
}

/** One of the tees for the player's gender, or of all tees if there is none. */
function teeFor(player: Golfer, version: UnionCourseVersion, random: SeededRandom): PlayableTee {
  const tees = playableTees(version);
  const own = tees.filter(({ gender }) => gender === player.gender);
  return random.oneOf(own.length > 0 ? own : tees);
}

/**
 * A time on a past day: milliseconds since 1970, and as a card has it.
 *
 * @param timeZone the union's, an IANA name
 * @param daysAgo 1 for yesterday
 * @param minutes since midnight, at most a day
 */
export function teeTime(now: Date, timeZone: string, daysAgo: number, minutes: number) {
  const today = wallClockAt(now.getTime(), timeZone);
  const at = today - (today % dayMilliseconds) - daysAgo * dayMilliseconds + minutes * 60_000;
  return { instant: instantOf(at, timeZone), timestamp: timestampOf(at) };
}
