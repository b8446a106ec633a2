import { identifier } from "../base/identifier.ts";
import { type SeededRandom, seededRandom } from "../base/seeded-random.ts";
import { localMidnight, midnightAfter, timestamp, unionYear } from "../base/union-time.ts";
import { type LaidOutHole, layOutEighteen, layOutNineHoles, layOutPracticeLoop } from "./course-layout.ts";
import type { UnionClub, UnionCourseVersion } from "./records.ts";
import { planTees, practiceTees, teeRecords } from "./tees.ts";

/** A version with the time of its last change, which its record does not show. */
export interface DatedVersion {
  readonly version: UnionCourseVersion;
  readonly changed: Date;
}

/** What kind of course it is. */
export type CourseKind = "eighteen" | "nine" | "practice";

/**
 * How the versions of a course follow each other:
 * - `single`: one, in force
 * - `replaced`: two that have been activated; the first became inactive when the second was created
 * - `tied`: two with the same activation date, of which the higher Version counts
 * - `coming`: one in force, and one that is activated in the future
 * - `announced`: the same, but the first is already inactive, so that none is in force today
 * - `new`: only one, which is activated in the future
 */
export type VersionHistory = "single" | "replaced" | "tied" | "coming" | "announced" | "new";

interface CourseToInvent {
  readonly seed: number;
  readonly club: UnionClub;
  /** Identifies the course within the club. */
  readonly name: string;
  readonly kind: CourseKind;
  readonly history: VersionHistory;
  readonly now: Date;
  /** The clubs', an IANA name. */
  readonly timeZone: string;
}

const dayMilliseconds = 86_400_000;
const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * dayMilliseconds);

function layOut(kind: CourseKind, random: SeededRandom): LaidOutHole[] {
  if (kind === "practice") return layOutPracticeLoop(random);
  return kind === "nine" ? layOutNineHoles(random) : layOutEighteen(random);
}

/** Past activation dates, the earlier first; most are in spring, when the season begins. */
function pastDates(now: Date, timeZone: string, random: SeededRandom): [earlier: Date, later: Date] {
  const year = unionYear(now, timeZone);
  const dateIn = (one: number) =>
    localMidnight(one, random.oneOf([1, 4, 5, 7, 11]), random.oneOf([1, 1, 15]), timeZone);
  return [dateIn(year - random.whole(3, 5)), dateIn(year - random.whole(1, 2))];
}

interface PlannedVersion {
  readonly active: boolean;
  readonly activation: Date;
  readonly created: Date;
  readonly changed: Date;
}

function planVersions({ history, now, timeZone }: CourseToInvent, random: SeededRandom): PlannedVersion[] {
  const [earlier, later] = pastDates(now, timeZone, random);
  const future = midnightAfter(now, random.whole(20, 150), timeZone);
  const madeLately = midnightAfter(now, -random.whole(2, 25), timeZone);
  const made = (activation: Date) => daysAfter(activation, -random.whole(10, 60));
  const version = (active: boolean, activation: Date, created = made(activation), changed = created) => ({
    active,
    activation,
    created,
    changed,
  });
  switch (history) {
    case "single":
      return [version(true, later)];
    case "replaced": {
      const successor = version(true, later);
      return [version(false, earlier, made(earlier), successor.created), successor];
    }
    case "tied":
      return [version(true, later), version(true, later, daysAfter(later, -3))];
    case "coming":
      return [version(true, later), version(true, future, madeLately)];
    case "announced":
      return [version(false, later, made(later), madeLately), version(true, future, madeLately)];
    case "new":
      return [version(true, future, madeLately)];
  }
}

/** Invents the versions of a course: the same holes and tees, with new ratings for each version. */
export function inventCourse(course: CourseToInvent): DatedVersion[] {
  const { seed, club, name, kind } = course;
  const template = identifier(club.ID, "course", name);
  const random = seededRandom(seed, template);
  const holes = layOut(kind, random);
  const plans = kind === "practice" ? practiceTees : planTees(holes, random);
  const obstacles = 0.2 + random.fraction() * 1.4;
  const ratingAsText = random.chance(0.25);
  // Of a random sequence of its own: another seed's courses would be others otherwise.
  const oddity = seededRandom(seed, template, "oddities").whole(0, 3);
  const oddities = { named: oddity === 1, timed: oddity !== 2 };
  return planVersions(course, random).map(({ active, activation, created, changed }, place) => {
    const id = identifier(template, "version", place + 1);
    return {
      changed,
      version: {
        ID: id,
        TemplateID: template,
        ClubID: club.ID,
        ExternalID: oddity === 3 ? `${club.UnionNumber}-${name.replaceAll(" ", "-").toLowerCase()}` : null,
        Name: name,
        NumberOfHoles: holes.length,
        ActivationDate: timestamp(activation),
        IsActive: active,
        IsHcpQualifying: kind !== "practice",
        // A practice loop is in the register, but apps are not meant to offer it.
        IsVisible: kind !== "practice",
        Version: place + 1,
        RatedCourse: kind === "practice" ? "" : `${club.Name}, ${name}`,
        Created: timestamp(created),
        Tees: teeRecords(plans, holes, {
          owner: template,
          obstacles: obstacles + place * 0.3,
          ratedOn: timestamp(created),
          changed: timestamp(changed),
          ratingAsText,
          oddities,
        }),
      },
    };
  });
}
