import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import type { CourseVersion, Tee } from "../../../core/golf/course.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { proofSeed, proofSize } from "../../proofs/proof-seed.ts";
import { withField } from "./change-card.ts";
import { guid } from "./drawn-cards.ts";
import { courseHandicapOf } from "./independent-score.ts";
import { assess, type Json, minimalCard } from "./sample-cards.ts";
import { register, tee, version } from "./sample-courses.ts";

const seed = proofSeed ?? 1;
/** `npm run proofs` draws 40,000 slips of a new seed. */
const slips = proofSeed === undefined ? 2_000 : 40_000 * proofSize;

const par = 72;

/** A course with tees for both genders, the shorter the easier, as registers have them. */
function drawCourse(random: SeededRandom): CourseVersion {
  const lengths = random.shuffled(["63", "60", "57", "54", "50", "46"]).slice(0, random.whole(2, 6));
  const Tees = lengths.flatMap((Name) =>
    ([1, 2] as const).map((Gender) => {
      const rating = 0.8 * Number(Name) + (Gender === 1 ? 28 : 22) + random.whole(-10, 10) / 10;
      const CourseRating = String(Math.round(rating * 10) * 1_000);
      return tee({ ID: guid(random), Name, Gender, CourseRating, SlopeRating: random.whole(105, 142) });
    }),
  );
  return version({ ID: guid(random), TemplateID: guid(random), Tees });
}

function handicapFrom({ CourseRating, SlopeRating }: Tee, index: number): number {
  return courseHandicapOf({ index, slope: SlopeRating, rating: Number(CourseRating), par, holes: 18 });
}

interface Slip {
  readonly kind: "HCP" | "tee" | "CourseHandicap";
  readonly truth: Json;
  readonly card: Json;
  readonly course: CourseVersion;
}

/** A good card with one slip of a person or an app; undefined if the slip makes no difference. */
function drawSlip(random: SeededRandom): Slip | undefined {
  const course = drawCourse(random);
  const played = random.oneOf(course.Tees);
  const HCP = 1_000 * random.whole(-30, 540);
  const CourseHandicap = handicapFrom(played, HCP);
  const Course = { CourseID: course.TemplateID, TeeID: played.ID };
  const truth = minimalCard({ HCP: String(HCP), CourseHandicap, Course });
  const kind = random.oneOf(["HCP", "tee", "CourseHandicap"] as const);
  if (kind === "HCP") {
    const factor = random.oneOf([10, 100, 1_000, 0.1, 0.01, 0.001, -1]);
    const card = { ...truth, HCP: String(Number((HCP * factor).toFixed(4))) };
    return HCP === 0 ? undefined : { kind, truth, card, course };
  }
  if (kind === "tee") {
    const other = random.oneOf(course.Tees.filter(({ ID }) => ID !== played.ID));
    const card = withField(truth, "/Course/TeeID", other.ID);
    return handicapFrom(other, HCP) === CourseHandicap ? undefined : { kind, truth, card, course };
  }
  const off = random.oneOf([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]);
  const wrong = random.oneOf([CourseHandicap + off, CourseHandicap * 10, -CourseHandicap]);
  const isSlip = wrong !== CourseHandicap && wrong <= 200 && wrong >= -50;
  return isSlip ? { kind, truth, card: { ...truth, CourseHandicap: wrong }, course } : undefined;
}

const findingsOf = (card: Json, course: CourseVersion): readonly Finding[] => {
  const found = assess(card, { courses: register(course) });
  return found.good ? found.warnings : found.faults;
};

/** The card after its sender has done what a text says, who knows from which tee the round was played. */
function follow(
  { truth, course }: Slip,
  card: Json,
  { pointer, expected, detail }: Finding,
): Json | undefined {
  const [, condition, value] =
    /(If that is the player's Handicap Index, )?[Ss]end (-?\d+)/.exec(detail) ?? [];
  if (condition !== undefined && Number(value) !== Number(truth.HCP)) return undefined;
  if (pointer === "/HCP" || pointer === "/CourseHandicap") {
    return value === undefined
      ? undefined
      : withField(card, pointer, pointer === "/HCP" ? value : Number(value));
  }
  const other = course.Tees.find(({ ID }) => ID === expected && detail.includes(`TeeID ${ID}`));
  if (other === undefined) return undefined;
  expect(detail).toContain("if the round was played from there");
  return other.ID === truth.Course.TeeID ? withField(card, pointer, other.ID) : undefined;
}

const isSame = (one: Json, other: Json) =>
  Number(one.HCP) === Number(other.HCP) &&
  one.CourseHandicap === other.CourseHandicap &&
  one.Course.TeeID === other.Course.TeeID;

test(`of ${slips} slips of HCP, tee or Course Handicap none ends in another card without a word, and a repair that is proposed ends in the truth`, () => {
  const random = seededRandom(seed, "slips");
  const proposed = { HCP: 0, tee: 0, CourseHandicap: 0 };
  const right = { ...proposed };
  const drawn = { ...proposed };
  for (let number = 0; number < slips; number++) {
    const slip = drawSlip(random);
    if (slip === undefined) continue;
    const { card, truth, course, kind } = slip;
    const before = findingsOf(card, course);
    // A slip after which the three still agree, as 0.1 for +0.1, is none that a card shows.
    if (before.length === 0) continue;
    drawn[kind]++;
    // One slip has one remedy.
    expect(before.filter(({ detail }) => /[Ss]end/.test(detail)).length).toBeLessThanOrEqual(1);
    const followed = before.map((finding) => follow(slip, card, finding)).find((one) => one !== undefined);
    if (followed === undefined) continue;
    proposed[kind]++;
    if (isSame(followed, truth)) right[kind]++;
    else
      expect(findingsOf(followed, course), JSON.stringify([followed.HCP, truth.HCP, before])).not.toEqual([]);
  }
  const total = ({ HCP, tee, CourseHandicap }: typeof right) => HCP + tee + CourseHandicap;
  expect(total(right) / total(proposed)).toBeGreaterThan(0.95);
  expect(proposed.HCP / drawn.HCP).toBeGreaterThan(0.95);
  expect(proposed.tee / drawn.tee).toBeGreaterThan(0.7);
});
