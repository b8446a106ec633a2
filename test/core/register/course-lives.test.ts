import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import {
  endOfDay,
  instantOf,
  timestampOf,
  wallClock,
  wallClockAt,
} from "../../../core/formats/union-time.ts";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { courseLookup } from "../../../core/register/course-lookup.ts";
import { courseReferences } from "../../../core/register/course-references.ts";
import type { MirroredVersion } from "../../../core/register/course-table.ts";
import { syncMirror } from "../../../core/register/sync.ts";
import { chooseCourse } from "../../../functions/read-courses/choose-course.ts";
import { day } from "../../durations.ts";
import { type Json, minimalCard } from "../golf/sample-cards.ts";
import { tee } from "../golf/sample-courses.ts";
import {
  knownVersions,
  type Look,
  type NamedRound,
  type RightAnswer,
  rightAnswer,
} from "./course-reference.ts";
import { plenty, provideMirrors } from "./mirror-under-test.ts";
import { club, recordOf, version } from "./union-in-memory.ts";

const { mirror } = await provideMirrors();
const timeZone = "Europe/Copenhagen";
const begin = Date.UTC(2021, 5, 1, 12);
/** A step may be made every half year, for five years. */
const dates = Array.from({ length: 10 }, (_, place) => begin + (place + 1) * 182 * day);
const maxSteps = 6;
const clubs = Array.from({ length: 12 }, (_, place) => club(place + 1));
const clubIds = clubs.map(({ ID }) => ID);
const lives = Array.from({ length: 60 }, (_, life) => life);
/** Each pair of clubs has the courses of ten lives. */
const clubsOf = (life: number) => clubIds.slice(2 * (life % 6), 2 * (life % 6) + 2) as [string, string];

/** A version with the clubs that list it. */
interface Listed {
  readonly version: CourseVersion;
  readonly clubs: readonly string[];
}

let last = 0;
const numbered = (kind: string) =>
  `${kind}0000000-0000-4000-8000-${String(++last).padStart(12, "0")}`.toUpperCase();

const newTee = (Name: string, holes: number): Json => {
  const whole = tee();
  const nine = { Holes: whole.Holes.slice(0, 9), IsNineHole: true, CourseRating: 359000 };
  return { ...whole, ID: numbered("D"), Name, ...(holes === 9 && nine) };
};
const newTees = () => [newTee("Yellow", 18), newTee("Loop", 9)];

/** The same tees with ratings that no other version has. */
const rated = (tees: Json[]): Json[] =>
  tees.map((one) => ({ ...one, CourseRating: (one.IsNineHole ? 350_000 : 700_000) + 10 * ++last }));

function create(at: number, ClubID: string, changes: Json = {}): Listed {
  const ActivationDate = timestampOf(at - 10 * day);
  const ids = { ID: numbered("B"), TemplateID: numbered("C"), ClubID };
  const Tees = rated(changes.Tees ?? newTees());
  return {
    version: version(1, { ...ids, Name: "Course", ActivationDate, ...changes, Tees } as Json),
    clubs: [ClubID],
  };
}

const changed = (one: Listed, changes: Json, listing = one.clubs): Listed => ({
  version: { ...one.version, ...changes },
  clubs: listing,
});

/** The versions with another one of the first course, which is active instead of the others. */
function follow(now: readonly Listed[], at: number, changes: Json = {}, keepsActive = false): Listed[] {
  const [first] = now;
  if (first === undefined) return [];
  const isOfCourse = ({ version: { TemplateID } }: Listed) => TemplateID === first.version.TemplateID;
  const newest = now.findLast(isOfCourse)?.version ?? first.version;
  const ClubID = changes.ClubID ?? newest.ClubID;
  const next = create(at, ClubID, {
    ...{ TemplateID: newest.TemplateID, Version: newest.Version + 1, Tees: newest.Tees },
    ...{ ActivationDate: timestampOf(at), ...changes },
  });
  const before = now.map((one) =>
    isOfCourse(one) && !keepsActive ? changed(one, { IsActive: false }) : one,
  );
  return [...before, next];
}

const teesOf = (now: readonly Listed[]) => now.at(-1)?.version.Tees ?? newTees();

type Step = (now: Listed[], at: number, clubs: readonly [own: string, other: string]) => Listed[];
/** What can happen to a course. The first of its two clubs is its own. @returns what is listed after it */
const steps: Record<string, Step> = {
  removed: () => [],
  "removed but for the oldest": (now) => now.slice(0, 1),
  remade: (_, at, [own]) => [create(at, own)],
  "remade with the same tees": (now, at, [own]) => [create(at, own, { Tees: teesOf(now) })],
  reopened: (now, at, [own]) => (now.length > 0 ? now : [create(at, own)]),
  closed: (now) => now.map((one) => changed(one, { IsActive: false })),
  "new version": (now, at) => follow(now, at),
  "new version with other tees": (now, at) => follow(now, at, { Tees: newTees() }),
  "new version, postponed": (now, at) =>
    follow(now, at, { ActivationDate: timestampOf(at + 100 * day) }, true),
  postponed: (now, at) => [
    ...now.slice(0, -1),
    ...now.slice(-1).map((one) => changed(one, { ActivationDate: timestampOf(at + 300 * day) })),
  ],
  moved: (now, at, [, other]) => follow(now, at, { ClubID: other }),
  "moved, and active at both clubs": (now, at, [, other]) => follow(now, at, { ClubID: other }, true),
  "its club merges with another": (now, _, [, other]) =>
    now.map((one) => changed(one, { ClubID: other }, [other])),
  "merged with the course beside it": (now, at, [own]) => {
    const one = now[0] ?? create(at, own);
    const isOther = ({ version: { TemplateID } }: Listed) => TemplateID !== one.version.TemplateID;
    const loop = now.find(isOther)?.version.Tees[1] ?? newTee("Loop", 9);
    return follow(
      now.filter((listed) => !isOther(listed)),
      at,
      { Tees: [...one.version.Tees.slice(0, 1), loop] },
    );
  },
  "a course beside it shares its tees": (now, at, [own]) => [
    ...now,
    create(at, own, { Name: "Nine", Tees: teesOf(now) }),
  ],
  "a nine lists its tee": (now, at, [own]) => [
    ...now,
    create(at, own, { Name: "Nine", Tees: [{ ...newTee("Loop", 9), ID: teesOf(now)[0]?.ID }] }),
  ],
  "its tees move to a new course": (now, at, [own]) => [
    ...follow(now, at, { Tees: newTees() }),
    create(at, own, { Name: "New", Tees: teesOf(now) }),
  ],
  "listed by both clubs": (now, _, listing) => now.map((one) => changed(one, {}, listing)),
  "the newest is listed by both clubs": (now, _, listing) => [
    ...now.slice(0, -1),
    ...now.slice(-1).map((one) => changed(one, {}, listing)),
  ],
  "listed by the other club, under its own ClubID": (now, _, [, other]) =>
    now.map((one) => changed(one, {}, [other])),
  "the other club uses its TemplateID": (now, at, [, other]) => [
    ...now,
    create(at, other, { TemplateID: now[0]?.version.TemplateID ?? numbered("C") }),
  ],
};

/** Plays the lives at a union, with a full sync after each date. @returns what the union listed, by life, and the mirror */
async function playLives() {
  const atUnion = lives.map((life): Listed[] => [create(begin, clubsOf(life)[0])]);
  const { dependencies, courses, clock, register } = await mirror(clubs, []);
  const listOf = (clubId: string) =>
    atUnion.flat().flatMap((one) => (one.clubs.includes(clubId) ? recordOf(one.version) : []));
  const union = {
    ...register,
    courses: async (_: unknown, clubId: string) => ({ entries: listOf(clubId), skipped: [] }),
  };
  const looks = lives.map((): Look[] => []);
  const taken = lives.map(() => 0);
  for (const at of [begin, ...dates]) {
    for (const life of lives) {
      const random = seededRandom(life, at);
      if (at === begin || taken[life] === maxSteps || random.chance(0.25)) continue;
      taken[life] = Number(taken[life]) + 1;
      const step = steps[random.oneOf(Object.keys(steps))];
      atUnion[life] = step?.(atUnion[life] ?? [], at, clubsOf(life)) ?? [];
    }
    // A list that is much shorter than before is believed if it comes twice.
    for (const hours of [0, 1]) {
      clock.now = at + hours * 3_600_000;
      await syncMirror({ ...dependencies, union }, "full", plenty);
    }
    for (const life of lives)
      looks[life]?.push({ at: clock.now, listed: (atUnion[life] ?? []).flatMap(toListed) });
  }
  return { looks, courses, union };
}

const toListed = ({ version: one, clubs: listing }: Listed) =>
  listing.map((clubId) => ({
    clubId,
    version: {
      ...{ id: one.ID, templateId: one.TemplateID, clubId: one.ClubID, number: one.Version },
      ...{ isActive: one.IsActive, activatedAt: wallClock(one.ActivationDate as Json) },
      tees: one.Tees.map((tee) => ({
        ...{ id: tee.ID ?? "", name: tee.Name, holes: tee.Holes.length },
        rating: String(tee.CourseRating),
      })),
    },
  }));

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

/** The rounds of a life: on the days around each change and each activation, by each way of naming each tee of each version. */
function roundsOf(known: Known, looks: readonly Look[]): NamedRound[] {
  const lists = looks.map(({ listed }) => JSON.stringify(listed));
  const changed = looks.flatMap(({ at }, place) => (lists[place] === lists[place - 1] ? [] : [at]));
  const changes = [...changed, ...known.map(({ activatedAt }) => activatedAt)];
  const times = [...new Set(changes)].flatMap((at) => [at - day, at - 5 * 3_600_000, at + day]);
  return times.flatMap((startedAt) => {
    const dayEndsAt = instantOf(endOfDay(wallClockAt(startedAt, timeZone)), timeZone);
    return known.flatMap(({ id, templateId, clubId, tees }) =>
      tees.flatMap(({ id: teeId, name, holes }): NamedRound[] => {
        const round = { startedAt, dayEndsAt, strokes: holes };
        return [
          { ...round, course: id, tee: { id: teeId } },
          { ...round, course: templateId, club: clubId, tee: { id: teeId } },
          { ...round, course: templateId, tee: { name } },
          { ...round, tee: { id: teeId } },
        ];
      }),
    );
  });
}

const codes = [
  "version_inactive",
  "version_activated_later",
  "version_differs",
  "club_differs",
  "tee_of_other_version",
];

type Known = ReturnType<typeof knownVersions>;

/** The version and the club of an accepted card by what was filled in, or its first fault. */
function answerOf(assessment: Assessment, known: Known): RightAnswer {
  if (!assessment.good) return { fault: assessment.faults[0]?.code ?? "" };
  const { ClubID, ClubName, TeeRating } = assessment.card.Course;
  const named = clubs.find(({ ID }) => ID === ClubID)?.Name;
  const version = known.find(({ tees }) => tees.some(({ rating }) => rating === TeeRating))?.id ?? "";
  const warnings = assessment.warnings.flatMap(({ code }) => (codes.includes(code) ? [code] : [])).sort();
  return { version, club: ClubName === named ? ClubID : ClubName, warnings } as RightAnswer;
}

/** What a vendor reads of a course with a GET; of any club if it names none. */
type Get = (clubId: string | undefined, courseId: string | undefined) => CourseVersion | undefined;

/** The rounds as a vendor names them who does what a finding about the course expects, and what each takes from that. */
function followAdvice(round: NamedRound, { code, pointer, expected }: Finding, known: Known, get: Get) {
  const field = pointer.split("/").at(-1) ?? "";
  if (expected === undefined || !/^\/(Course|Round)\//.test(pointer)) return [];
  return (Array.isArray(expected) ? expected : [{ [field]: expected }]).map((one: Json) => {
    const { CourseID: course = round.course, ClubID: ofClub = round.club, TeeID, StartTime } = one;
    const instead = code === "course_removed" ? get(ofClub, course)?.Tees : undefined;
    const [first] = instead?.toSorted((tee) => (tee.Holes.length === round.strokes ? -1 : 1)) ?? [];
    const id = TeeID ?? first?.ID;
    const holes =
      first?.Holes.length ?? known.flatMap(({ tees }) => tees).find((tee) => tee.id === id)?.holes;
    const firstDay = String(StartTime).replace(/.*(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
    const followed: NamedRound = {
      ...{ ...round, ...(course && { course }), ...(ofClub && { club: ofClub }) },
      ...(id && holes && { tee: { id }, strokes: holes }),
      ...(StartTime && { startedAt: Date.parse(firstDay) + day / 2 }),
    };
    return { code, one, followed };
  });
}

const codesIn = (assessment: Assessment) =>
  assessment.good ? [] : assessment.faults.map(({ code }) => code);
const findingsIn = (assessment: Assessment) => [
  ...assessment.warnings,
  ...(assessment.good ? [] : assessment.faults),
];

/** What is wrong with an advice that was followed: the card is refused, warned again, of another club, or of what no GET shows. */
function judgeAdvice(
  before: Assessment,
  { code, one }: { code: string; one: Json },
  after: Assessment,
  get: Get,
  shownTees: ReadonlySet<unknown>,
) {
  const clubOf = (assessment: Assessment) => (assessment.good ? assessment.card.Course.ClubID : undefined);
  const expectedClub = one.ClubID ?? clubOf(before);
  // A card may have strokes for no tee that it can mean.
  const others = ["strokes_count", ...codesIn(before).filter((other) => other !== code)];
  return [
    ...codesIn(after).filter((other) => !others.includes(other)),
    ...findingsIn(after).flatMap((finding) => (finding.code === code ? ["said again"] : [])),
    ...(after.good && expectedClub && clubOf(after) !== expectedClub ? [`club ${clubOf(after)}`] : []),
    ...(one.CourseID && !get(one.ClubID ?? clubOf(after), one.CourseID) ? ["no GET shows it"] : []),
    ...(one.TeeID && !shownTees.has(one.TeeID) ? ["no GET shows the tee"] : []),
  ];
}

test("on every day of five years, cards on 60 courses are answered as by an independent reference, and its advice holds", async () => {
  const { looks, courses, union } = await playLives();
  const now = new Date((dates.at(-1) ?? 0) + 400 * day);
  const records = new Map(clubs.map((one) => [guidKey(one.ID), recordOf(one)]));
  const lookup = courseLookup({
    ...{ courses, clubs: { club: async (id) => records.get(guidKey(id)) }, union },
    account: async () => ({ username: "", password: "", unionApiSet: "", token: "" }),
  });
  const context = { apiSet: "acme" as ApiSet, now, timeZone, country: "DK", highestHandicapIndex: 72 };
  const assess = async (rounds: readonly NamedRound[]): Promise<Assessment[]> => {
    const cards = rounds.map(cardOf);
    const found = await lookup.find(courseReferences(cards));
    const given = { ...context, courses: (id: string) => found.get(guidKey(id)) };
    return cards.flatMap((card) => assessSubmission([card], given));
  };
  const shown = new Map<string, readonly MirroredVersion[]>();
  for (const id of clubIds) shown.set(id, await courses.club(id));
  const all = [...shown.values()].flat();
  const shownTees = new Set(all.flatMap(({ version: { Tees } }) => Tees.map(({ ID }) => ID)));
  const query = { sort: [], sortTees: [], withTees: true };
  const get: Get = (clubId, courseId = "") =>
    chooseCourse(query, clubId === undefined ? all : (shown.get(clubId) ?? []), courseId, now)?.version;

  const wrong: unknown[] = [];
  const met = new Set<string>();
  for (const life of lives) {
    const seen = looks[life] ?? [];
    const known = knownVersions(seen);
    const rounds = roundsOf(known, seen);
    const advice: (ReturnType<typeof followAdvice>[number] & { round: NamedRound; before: Assessment })[] =
      [];
    for (const [place, before] of (await assess(rounds)).entries()) {
      const round = rounds[place] as NamedRound;
      const [right, got] = [rightAnswer(known, round), answerOf(before, known)];
      if (JSON.stringify(got) !== JSON.stringify(right)) wrong.push({ life, round, right, got });
      for (const code of "fault" in right ? [right.fault] : right.warnings) met.add(code);
      for (const finding of findingsIn(before))
        for (const one of followAdvice(round, finding, known, get)) advice.push({ ...one, round, before });
    }
    for (const [place, after] of (await assess(advice.map(({ followed }) => followed))).entries()) {
      const { round, before, ...one } = advice[place] as (typeof advice)[number];
      const trouble = judgeAdvice(before, one, after, get, shownTees);
      if (trouble.length > 0) wrong.push({ life, round, ...one, trouble });
      else met.add(`${one.code} followed`);
    }
  }
  for (const clubId of clubIds) {
    const idsAt = (place: number) =>
      looks
        .flatMap((of) => of.at(place)?.listed ?? [])
        .flatMap((one) => (one.clubId === clubId ? one.version.id : []));
    const ever = new Set([...dates.keys(), -1].flatMap(idsAt));
    const gone = [...ever].filter((id) => !idsAt(-1).includes(id));
    const told = (await courses.club(clubId, true)).map((one) => one.version.ID);
    if (told.sort().join() !== gone.sort().join()) wrong.push({ clubId, told, gone });
  }
  expect({ wrong: wrong.length, some: wrong.slice(0, 4) }).toEqual({ wrong: 0, some: [] });
  const followed = [
    "club_differs",
    "course_removed",
    "tee_ambiguous",
    "tee_unknown",
    "version_differs",
    "version_not_in_force",
  ];
  expect([...met]).toEqual(expect.arrayContaining([...codes, ...followed.map((code) => `${code} followed`)]));
}, 240_000);
