import type { ApiSet } from "../../core/accounts/account.ts";
import { assessSubmission } from "../../core/golf/assess.ts";
import type { AssessmentContext } from "../../core/golf/assessed-card.ts";
import type { CourseVersion } from "../../core/golf/course.ts";
import { smallestCard } from "../../unions/conformance/smallest-card.ts";
import { denmark } from "../../unions/denmark.ts";
import type { BenchRow } from "../bench-row.ts";
import { median } from "../median.ts";

const pars = [4, 4, 3, 5, 4, 4, 3, 4, 5, 4, 3, 4, 5, 4, 4, 3, 4, 5];
const indexes = [7, 3, 15, 9, 1, 11, 17, 5, 13, 8, 16, 4, 12, 2, 10, 18, 6, 14];
const lengths = [352, 381, 148, 473, 366, 341, 132, 377, 461, 358, 155, 372, 468, 390, 349, 141, 363, 482];
const templateId = "CA1636A2-0000-4078-AD38-D7F8BD23D76C";
const clubId = "7AABAF90-0000-4552-889B-553D5CE75FC6";

/** A course of three versions with eight tees each, as the register has them. */
function course(): CourseVersion[] {
  return [1, 2, 3].map((version) => ({
    ID: `36D33C80-0000-4175-BC53-0E295755630${version}`,
    TemplateID: templateId,
    ClubID: clubId,
    ClubNames: { [clubId]: "Søhøjlandet Golfklub" },
    Name: "Sø-banen",
    NumberOfHoles: 18,
    ActivationDate: `20${22 + version}0331T220000`,
    IsActive: version === 3,
    IsHcpQualifying: true,
    IsVisible: true,
    Version: version,
    Tees: Array.from({ length: 8 }, (_, tee) => ({
      ID: `629BDEEC-0000-4309-861E-08B072D950${version}${tee}`,
      Name: `Tee ${tee}`,
      Gender: tee % 2 === 0 ? (1 as const) : (2 as const),
      TotalLength: 6109,
      CourseRating: 718000 - tee * 10_000,
      SlopeRating: 119 + tee,
      IsNineHole: false,
      Holes: pars.map((Par, hole) => ({
        Number: hole + 1,
        Par,
        Index: indexes[hole] ?? null,
        Length: lengths[hole] ?? 0,
      })),
    })),
  }));
}

/** A card with nothing but the strokes of its own, as the union's minimal shape is. */
function minimalCard(card: number): object {
  const strokes = pars.map(
    (par, hole) => par + ((card * 7 + hole * 5) % 4) - ((card + hole) % 3 === 0 ? 1 : 0),
  );
  const day = String(1 + (card % 28)).padStart(2, "0");
  const hour = String(7 + (card % 12)).padStart(2, "0");
  return smallestCard({
    externalId: `2025-${card}-yellow`,
    course: { CourseID: templateId, ClubID: clubId, TeeID: "629BDEEC-0000-4309-861E-08B072D95031" },
    handicapIndex: "125000",
    courseHandicap: 12,
    player: `1016-${20_000 + card}`,
    strokes,
    startTime: `202506${day}T${hour}${card % 6}000`,
    createdAt: `202506${day}T200500`,
  });
}

/** Everything that cards of the benchmark are assessed with. */
export const context: AssessmentContext = {
  apiSet: "acme" as ApiSet,
  now: new Date("2025-07-01T12:00:00Z"),
  timeZone: denmark.timeZone,
  country: denmark.country,
  highestHandicapIndex: denmark.rules.highestHandicapIndex,
  courses: (() => {
    const versions = course();
    return () => versions;
  })(),
};

/** Cards with every field of the union's document, each another text. */
export function benchCards(count: number): string[] {
  const minimal = Array.from({ length: count }, (_, card) => minimalCard(card));
  return assessSubmission(minimal, context).map((assessment, card) => {
    if (!assessment.good) throw new Error(JSON.stringify(assessment.faults));
    const { card: filled } = assessment;
    return JSON.stringify({
      ...filled,
      Comment: "Wind from the west, greens cut in the morning.",
      Course: { ...filled.Course, ExternalID: `course-${card}` },
      Round: { ...filled.Round, RoundType: 2, TournamentName: "Club championship", TournamentRoundNumber: 1 },
      Player: {
        FullName: "Karen Player",
        HomeClubName: "Søhøjlandet Golfklub",
        HomeClubCountry: denmark.country,
        LifeTimeID: `${String(card).padStart(6, "0")}-026`,
        UnionID: `1016-${20_000 + card}`,
      },
      Marker: { ...filled.Marker, HomeClubName: "Søhøjlandet Golfklub" },
    });
  });
}

const cardsPerSubmission = 1_000;
const rounds = 61;
/** Rounds that do not count, since the compiler is still at work in them. */
const warmUpRounds = 10;

/**
 * Microseconds per card of each way in each round. The ways take turns, so that what slows the machine slows all ways
 * of a round alike.
 */
function microseconds<Way extends string>(ways: Record<Way, () => number>): Record<Way, number[]> {
  const names = Object.keys(ways) as Way[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Way, number[]>;
  for (let round = -warmUpRounds; round < rounds; round++) {
    // Each way comes first in turn, so that none always clears up after the same other.
    const first = (round + warmUpRounds) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const begun = performance.now();
      const cards = ways[name]();
      if (round >= 0) times[name].push(((performance.now() - begun) * 1_000) / cards);
    }
  }
  return times;
}

/** The median of the rounds' ratios. */
function ratio(times: readonly number[], others: readonly number[]): number {
  return median(times.map((time, round) => time / (others[round] ?? 0)));
}

/** Validating, deriving and hashing full 18-hole cards, against parsing the same bytes. */
export async function run(): Promise<BenchRow[]> {
  const texts = benchCards(cardsPerSubmission);
  const cards: unknown[] = texts.map((text) => JSON.parse(text));
  const minimal = texts.map((_, card) => minimalCard(card));
  const good = (submission: readonly unknown[]) => {
    for (const assessment of assessSubmission(submission, context)) {
      if (!assessment.good || assessment.warnings.length > 0)
        throw new Error("A card of the benchmark is not good.");
    }
  };
  const each = (work: (text: number) => void) => () => {
    for (let card = 0; card < cards.length; card++) work(card);
    return cards.length;
  };
  const whole = (submission: readonly unknown[]) => () => {
    good(submission);
    return submission.length;
  };
  const times = microseconds({
    parse: each((card) => JSON.parse(texts[card] ?? "")),
    one: each((card) => good([cards[card]])),
    thousand: whole(cards),
    minimal: whole(minimal),
  });
  const bytes = Buffer.byteLength(texts[0] ?? "");
  return [
    { name: `JSON.parse of a full card, ${bytes} bytes`, value: median(times.parse), unit: "µs" },
    { name: "validate, derive and hash it, alone", value: median(times.one), unit: "µs" },
    { name: "the same, per card of 1,000", value: median(times.thousand), unit: "µs" },
    { name: "a minimal card, per card of 1,000", value: median(times.minimal), unit: "µs" },
    { name: "alone, against JSON.parse", value: ratio(times.one, times.parse), unit: "x", bar: 1.35 },
    { name: "of 1,000, against JSON.parse", value: ratio(times.thousand, times.parse), unit: "x", bar: 1.35 },
    { name: "of 1,000, against alone", value: ratio(times.thousand, times.one), unit: "x", bar: 1.05 },
  ];
}
