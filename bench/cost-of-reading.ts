import { clubTable } from "../core/register/club-table.ts";
import { courseLookup } from "../core/register/course-lookup.ts";
import { courseTable } from "../core/register/course-table.ts";
import { courseRegister } from "../core/register/union-register.ts";
import { demoAccounts } from "../packages/stand-in/demo-accounts.ts";
import type { CourseVersion } from "../packages/stand-in/register/records.ts";
import { smallestCard } from "../sample/smallest-card.ts";
import { median, milliseconds } from "./median.ts";
import type { MirroredUnion } from "./mirrored-union.ts";

const rounds = 41;

/** Compares reading the same clubs among many others and among few. */
interface ReadingRatios {
  readonly read: number;
  readonly looked: number;
  readonly validated: number;
}

/** Measures both in turns, so that what slows the machine slows both. */
export async function costOfReading(few: MirroredUnion, many: MirroredUnion): Promise<ReadingRatios> {
  const courses = playableCourses(few);
  const ratioOf = async (work: (union: MirroredUnion) => Promise<unknown>): Promise<number> => {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0;
      const one = await milliseconds(() => work(first ? few : many));
      const other = await milliseconds(() => work(first ? many : few));
      ratios.push(first ? other / one : one / other);
    }
    return median(ratios);
  };
  return {
    read: await ratioOf((union) => each(courses, ({ ClubID }) => ask(union, `Clubs/${ClubID}/Courses`))),
    looked: await ratioOf((union) => lookUp(union, courses)),
    validated: await ratioOf((union) =>
      each(courses, (course) => ask(union, "ScorecardExchange/Validate", JSON.stringify([cardOn(course)]))),
    ),
  };
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of all) await work(one);
}

/** Looks courses up as the first submission after a start does, with nothing in memory. */
async function lookUp(
  { run, dynamodb, standIn }: MirroredUnion,
  courses: readonly CourseVersion[],
): Promise<void> {
  const lookup = courseLookup({
    courses: courseTable(run.resource("CourseTable"), dynamodb),
    clubs: clubTable(run.resource("ClubTable"), dynamodb),
    union: courseRegister(standIn.address, 1_000),
    account: () => Promise.reject(new Error("The union need not be asked.")),
  });
  const found = await lookup.find(courses.map(({ ID }) => ({ courseId: ID.toUpperCase() })));
  if (found.size !== courses.length) throw new Error("A course is not mirrored.");
}

async function ask({ run }: MirroredUnion, path: string, body?: string): Promise<void> {
  const [{ username, password, apiSet }] = demoAccounts as [(typeof demoAccounts)[number]];
  const answer = await fetch(`${run.api}/${apiSet}/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      "Content-Type": "application/json",
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text}`);
  if (body !== undefined && !JSON.parse(text).accepted) throw new Error(`A card is not good: ${text}`);
}

/** Courses of the made-up clubs that cards can be played on. */
function playableCourses({ standIn }: MirroredUnion): CourseVersion[] {
  return standIn.courses.filter(
    ({ IsActive, NumberOfHoles, ActivationDate, Tees }) =>
      IsActive &&
      NumberOfHoles === 18 &&
      ActivationDate < "20260101" &&
      Tees.every(({ Holes }) => Holes.every(({ Index }) => Index !== null)),
  );
}

function cardOn({ ID, ClubID, Tees: [tee] }: CourseVersion): object {
  return smallestCard({
    externalId: "bench",
    course: { CourseID: ID, ClubID, TeeID: tee?.ID ?? "" },
    handicapIndex: "125000",
    courseHandicap: 12,
    player: "1016-1",
    strokes: tee?.Holes.map(({ Par }) => Par + 1) ?? [],
    startTime: "20260102T100000",
  });
}
