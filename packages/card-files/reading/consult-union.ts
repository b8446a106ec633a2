import { ApiError, inParallel, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { personNumber } from "./assign-columns.ts";
import { plainHeading } from "./headings.ts";
import type { Answers, CourseOfClub, Facts, FilledRow, GridFile, MemberFacts, Reading } from "./reading.ts";
import { understandTable } from "./understand-table.ts";

/** The part of the client that tables are understood with. */
export type UnionClient = Pick<ScorecardsClient, "clubs" | "courses" | "golfer">;

/** What is remembered of the union while answers change: no player is asked for twice. */
export interface UnionMemory {
  readonly members: Map<string, MemberFacts>;
  readonly courses: Map<string, readonly CourseOfClub[]>;
}

/** Makes a memory that is empty. */
export const createUnionMemory = (): UnionMemory => ({ members: new Map(), courses: new Map() });

const maxClubs = 4;
const parallelQuestions = 4;
const maxRounds = 3;

/**
 * Understands a table with what the union has: the courses that the file may be about, and the players whose gender or index the file does
 * not say.
 *
 * @param memory what was read before, to which more is added
 * @throws ApiError or NoResponseError if courses cannot be read
 */
export async function understandWithUnion(
  file: GridFile,
  answers: Answers,
  facts: Pick<Facts, "today" | "committee">,
  client: UnionClient,
  memory: UnionMemory,
): Promise<Reading> {
  let known: Facts = { ...facts, members: memory.members };
  let reading = understandTable(file, answers, known);
  for (let round = 0; round < maxRounds; round += 1) {
    const { courses, members } = reading.wants;
    if (courses === undefined && members.length === 0) break;
    if (courses !== undefined)
      known = { ...known, courses: await readCourses(courses, facts.today, client, memory) };
    await askForMembers(members, client, memory);
    reading = understandTable(file, answers, known);
  }
  return reading;
}

type WantedCourses = NonNullable<Reading["wants"]["courses"]>;

/** The courses of the clubs that the file names, or that most players are members of. */
async function readCourses(
  { texts, clubNumbers, day }: WantedCourses,
  today: string,
  client: UnionClient,
  { courses }: UnionMemory,
): Promise<readonly CourseOfClub[]> {
  const clubs = await client.clubs();
  const all = ` ${texts.map(plainHeading).join(" | ")} `;
  const isNamed = (name: string) => plainHeading(name).length > 3 && all.includes(` ${plainHeading(name)} `);
  const named = clubs.filter(
    ({ ID, Name }) => isNamed(Name) || texts.some((text) => text.toLowerCase() === ID.toLowerCase()),
  );
  const ofPlayers = clubNumbers.flatMap((number) =>
    clubs.filter(({ UnionNumber }) => UnionNumber === number),
  );
  const found: CourseOfClub[] = [];
  for (const { ID, Name, UnionNumber } of [...new Set([...named, ...ofPlayers])].slice(0, maxClubs)) {
    const key = `${ID} ${day ?? today}`;
    const known =
      courses.get(key) ??
      (await client.courses(ID, { inforce: `${(day ?? today).replaceAll("-", "")}T120000` })).map(
        (course) => ({ ...course, clubName: Name, clubNumber: UnionNumber }),
      );
    courses.set(key, known);
    found.push(...known);
  }
  return found;
}

const genders: Readonly<Record<string, 1 | 2>> = { Female: 1, Male: 2 };

/** What is worked out for a row whose cells were mended, with what the union has of its player. */
export async function fillRow(
  { fill }: Reading,
  cells: readonly string[],
  client: UnionClient,
  memory: UnionMemory,
): Promise<FilledRow["cells"]> {
  const { wanted } = fill(cells);
  await askForMembers(wanted, client, memory);
  return fill(cells).cells;
}

/** Asks for players, some at a time. One who cannot be asked for is remembered without facts. */
export async function askForMembers(
  unionIds: readonly string[],
  client: UnionClient,
  { members }: UnionMemory,
): Promise<void> {
  const unasked = unionIds.filter((unionId) => !members.has(unionId));
  const refusedClubs = new Set<string | undefined>();
  const forget = (unionId: string) => members.set(unionId, { name: "", gender: undefined, index: undefined });
  const ask = async (unionId: string) => {
    const [club] = unionId.split("-");
    if (refusedClubs.has(club)) return void forget(unionId);
    try {
      const isPerson = personNumber.test(unionId);
      const member = await client.golfer(isPerson ? { lifetimeID: unionId } : { unionID: unionId });
      const { FirstName, LastName, Gender, Handicap, Memberships } = member;
      const own = isPerson ? (Memberships[0]?.UnionID ?? undefined) : undefined;
      const facts: MemberFacts = {
        name: [FirstName, LastName].filter(Boolean).join(" "),
        gender: genders[Gender],
        index: Handicap === undefined ? undefined : String(Handicap),
        ...(isPerson && { unionId: own }),
      };
      members.set(unionId, facts);
      if (isPerson && own !== undefined) members.set(own, facts);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 403) refusedClubs.add(club);
      forget(unionId);
    }
  };
  for await (const _ of inParallel(unasked, parallelQuestions, ask));
}
