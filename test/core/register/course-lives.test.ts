import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { timestampOf, wallClockAt } from "../../../core/formats/union-time.ts";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import type { Club, CourseVersion } from "../../../core/golf/course.ts";
import { courseLookup } from "../../../core/register/course-lookup.ts";
import { courseReferences } from "../../../core/register/course-references.ts";
import { syncMirror } from "../../../core/register/sync.ts";
import { type Json, minimalCard, tee } from "../golf/sample-cards.ts";
import { type KnownVersion, type NamedRound, type RightAnswer, rightAnswer } from "./course-reference.ts";
import { mirrorEngine, plenty } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = mirrorEngine();
const timeZone = "Europe/Copenhagen";
const dayMilliseconds = 86_400_000;
const begin = Date.UTC(2021, 5, 1, 12);
/** A step may be made every half year, for five years. */
const halfYear = 182 * dayMilliseconds;
const dates = Array.from({ length: 10 }, (_, place) => begin + (place + 1) * halfYear);
const lives = Array.from({ length: 60 }, (_, life) => life);

let last = 0;
const numbered = (kind: string) =>
  `${kind}0000000-0000-4000-8000-${String(++last).padStart(12, "0")}`.toUpperCase();

const newTee = (Name: string, holes: number): Json => {
  const whole = tee();
  const nine = { Holes: whole.Holes.slice(0, 9), IsNineHole: true, CourseRating: 359000 };
  return { ...whole, ID: numbered("D"), Name, ...(holes === 9 && nine) };
};

/** The same tees with ratings that no other version has. */
const rated = (tees: Json[]): Json[] =>
  tees.map((one) => ({ ...one, CourseRating: (one.IsNineHole ? 350_000 : 700_000) + 10 * ++last }));

/** What can happen to the versions of a life. The first of its two clubs is the course's own. @returns the versions after it */
const steps: Record<
  string,
  (now: CourseVersion[], at: number, clubs: readonly Club[], random: SeededRandom) => CourseVersion[]
> = {
  nothing: (now) => now,
  removed: () => [],
  "removed but for the oldest": (now) => now.slice(0, 1),
  remade: (now, at) => {
    const [old] = now;
    return old === undefined ? now : [created(at, old.ClubID, { Name: old.Name })];
  },
  "new version": (now, at) => followed(now, at, {}),
  "new version with other tees": (now, at) =>
    followed(now, at, { Tees: [newTee("Yellow", 18), newTee("Loop", 9)] }),
  postponed: (now, at) => {
    const next = followed(now, at + 100 * dayMilliseconds, {});
    return next.map((one, place) => ({ ...one, IsActive: place >= next.length - 2 }));
  },
  moved: (now, at, [, other]) => followed(now, at, { ClubID: other?.ID as Json }),
  "a course beside it shares its tee": (now, at, [own]) => {
    const shared = now.at(-1)?.Tees ?? [];
    return [...now, created(at, own?.ID as Json, { Name: "Nine", Tees: shared })];
  },
  "a tee moves to a new course": (now, at, [own]) => {
    const tees = now.at(-1)?.Tees ?? [];
    const without = followed(now, at, { Tees: [newTee("Yellow", 18)] });
    return [...without, created(at, own?.ID as Json, { Name: "New", Tees: tees })];
  },
  reopened: (now, at, [own]) => (now.length > 0 ? now : [created(at, own?.ID as Json, {})]),
};

function created(at: number, ClubID: string, changes: Json): CourseVersion {
  const Tees = [newTee("Yellow", 18), newTee("Loop", 9)];
  const ActivationDate = timestampOf(at - 10 * dayMilliseconds);
  return version(1, {
    ...{ ID: numbered("B"), TemplateID: numbered("C"), ClubID, Name: "Course", ActivationDate, Tees },
    ...changes,
    Tees: rated(changes.Tees ?? Tees),
  } as Json);
}

/** The versions with another one of the first course, which is active instead of the others. */
function followed(now: CourseVersion[], at: number, changes: Json): CourseVersion[] {
  const [first] = now;
  if (first === undefined) return now;
  const ofCourse = now.filter(({ TemplateID }) => TemplateID === first.TemplateID);
  const newest = ofCourse.at(-1) ?? first;
  const next = {
    ...newest,
    ID: numbered("B"),
    Version: newest.Version + 1,
    IsActive: true,
    ActivationDate: timestampOf(at),
    ...changes,
    Tees: rated(changes.Tees ?? newest.Tees),
  };
  return [...now.map((one) => (ofCourse.includes(one) ? { ...one, IsActive: false } : one)), next];
}

const strokes = (holes: number) => Array.from({ length: holes }, () => 5);

const cardOf = ({ startedAt, strokes: holes, course, club: ClubID, tee: named }: NamedRound): Json =>
  minimalCard({
    CourseHandicap: holes === 9 ? 4 : 9,
    Course: {
      ...(course !== undefined && { CourseID: course }),
      ...(ClubID !== undefined && { ClubID }),
      ...("id" in named ? { TeeID: named.id } : { TeeName: named.name }),
    },
    Result: { Strokes: strokes(holes), IsQualifying: false },
    Round: { HolesPlayed: holes, RoundType: 1, StartTime: timestampOf(wallClockAt(startedAt, timeZone)) },
  });

const told = ["version_inactive", "version_differs", "club_differs", "tee_of_other_version"];

test("on every day of five years, cards on 60 courses are answered as by an independent reference", async () => {
  const clubs = lives.flatMap((life) => [club(2 * life + 1), club(2 * life + 2)]);
  const clubsOf = (life: number) => clubs.slice(2 * life, 2 * life + 2);
  const atUnion = new Map(lives.map((life) => [life, [created(begin, clubs[2 * life]?.ID ?? "", {})]]));
  const listed: CourseVersion[] = [];
  const { dependencies, courses, clock } = await mirror(clubs, listed);
  const known = new Map<string, { life: number; version: CourseVersion; removedAt: number | undefined }>();
  const sync = async (at: number) => {
    listed.splice(0, listed.length, ...[...atUnion.values()].flat());
    for (const hours of [0, 1]) {
      clock.now = at + hours * 3_600_000;
      await syncMirror(dependencies, "full", plenty);
    }
    const shown = new Set(listed.map(({ ID }) => ID));
    for (const [id, one] of known) if (!shown.has(id)) one.removedAt ??= clock.now;
    for (const [life, versions] of atUnion)
      for (const one of versions) known.set(one.ID, { life, version: one, removedAt: undefined });
  };
  await sync(begin);
  for (const at of dates) {
    for (const life of lives) {
      const random = seededRandom(life, at);
      const step = random.chance(0.55) ? steps[random.oneOf(Object.keys(steps))] : undefined;
      if (step) atUnion.set(life, step(atUnion.get(life) ?? [], at, clubsOf(life), random));
    }
    await sync(at);
  }

  const lookup = courseLookup({
    courses,
    clubs: {
      club: async (id) =>
        clubs.filter(({ ID }) => ID === id).map((one) => ({ id, text: JSON.stringify(one) }) as Json)[0],
    },
    union: dependencies.union,
    account: dependencies.account,
  });
  const now = new Date((dates.at(-1) ?? 0) + 200 * dayMilliseconds);
  const assess = async (rounds: readonly NamedRound[]): Promise<Assessment[]> => {
    const cards = rounds.map(cardOf);
    const found = await lookup.find(courseReferences(cards));
    return cards.map((card) => {
      const context = { apiSet: "acme" as ApiSet, now, timeZone, country: "DK", highestHandicapIndex: 72 };
      return assessSubmission([card], {
        ...context,
        courses: (id) => found.get(guidKey(id)),
      })[0] as Assessment;
    });
  };
  const shown = new Set(
    [...clubs, ...listed.flatMap((one) => [one, { ID: one.TemplateID }, ...one.Tees])].map(({ ID }) => ID),
  );
  const wrong: unknown[] = [];
  let answers = 0;
  const met = new Set<string>();
  for (const life of lives) {
    const ofLife = [...known.values()].filter((one) => one.life === life);
    const versions = ofLife.map(toKnown);
    const days = [begin, ...dates].flatMap((at) => [at - dayMilliseconds, at + dayMilliseconds]);
    const rounds = days.flatMap((startedAt) =>
      versions.flatMap(({ id, templateId, clubId, tees }) =>
        tees.flatMap(({ id: teeId, name, holes }): NamedRound[] => {
          const round = { startedAt, strokes: holes };
          return [
            { ...round, course: id, tee: { id: teeId } },
            { ...round, course: templateId, club: clubId, tee: { id: teeId } },
            { ...round, course: templateId, tee: { name } },
            { ...round, tee: { id: teeId } },
          ];
        }),
      ),
    );
    for (const [place, assessment] of (await assess(rounds)).entries()) {
      const round = rounds[place] as NamedRound;
      const right = rightAnswer(versions, round);
      answers++;
      met.add("fault" in right ? right.fault : right.warnings.join());
      const got = answerOf(
        assessment,
        ofLife.map((one) => one.version),
      );
      if (JSON.stringify(got) !== JSON.stringify(right)) wrong.push({ life, round, right, got });
      else wrong.push(...proposedIds(assessment).filter((id) => !shown.has(id)));
    }
  }
  expect({ answers, wrong: wrong.length, some: wrong.slice(0, 5) }).toEqual({ answers, wrong: 0, some: [] });
  for (const code of [
    "course_removed",
    "tee_ambiguous",
    "tee_unknown",
    "version_differs",
    "club_differs",
    "version_inactive",
  ])
    expect([...met].join()).toContain(code);
}, 240_000);

/** The IDs that the findings of a card propose. */
function proposedIds(assessment: Assessment): string[] {
  const findings = [...assessment.warnings, ...(assessment.good ? [] : assessment.faults)];
  const expected = JSON.stringify(findings.map((one) => one.expected ?? null));
  return expected.match(/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/g) ?? [];
}

function toKnown({
  version: one,
  removedAt,
}: {
  version: CourseVersion;
  removedAt: number | undefined;
}): KnownVersion {
  return {
    id: one.ID,
    templateId: one.TemplateID,
    clubId: one.ClubID,
    isActive: one.IsActive,
    activatedAt: Date.parse(one.ActivationDate.replace(/(....)(..)(..)T(..)(..)(..)/, "$1-$2-$3T$4:$5:$6Z")),
    tees: one.Tees.map(({ ID = "", Name, Holes }) => ({ id: ID, name: Name, holes: Holes.length })),
    removedAt,
  };
}

/** The version and club of an accepted card by what was filled in, or its first fault. */
function answerOf(
  assessment: Assessment,
  versions: readonly CourseVersion[],
): RightAnswer | { readonly name: unknown } {
  if (!assessment.good) return { fault: assessment.faults[0]?.code ?? "" };
  const { ClubID, ClubName, TeeRating } = assessment.card.Course;
  const named = club(Number(ClubID?.slice(-12))).Name;
  if (ClubName !== named) return { name: ClubName };
  const played = versions.find(({ Tees }) =>
    Tees.some(({ CourseRating }) => String(CourseRating) === TeeRating),
  );
  const warnings = assessment.warnings
    .map(({ code }) => code)
    .filter((code) => told.includes(code))
    .sort();
  return { version: played?.ID ?? "", warnings };
}
