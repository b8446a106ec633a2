import { apiEvent } from "../api-event.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import type { LargestInput } from "./largest-input.ts";
import { startUnionOfOneRecord } from "./union-of-one-record.ts";

/** Clubs asked one after the other: more than a reader keeps in memory. */
const clubsAsked = 2_000;
/** 200, in JSON of a response or of its metadata. */
const answeredWell = /^\{"statusCode":200/;
/** Uncompressed, the list of a nation's clubs is about as large as an answer may be: it is made, and may be refused. */
const answeredOrRefused = /^\{"statusCode":(200|413)/;

/** For read-courses: the list of all clubs, and so many clubs' courses that all it may keep is kept. */
export function largestReadings({ apiSet, standIn }: FunctionsInFront): LargestInput[] {
  const gzip = { "Accept-Encoding": "gzip" };
  const get = (resource: string, path = {}, headers = {}) =>
    apiEvent({ method: "GET", resource, apiSet, path, headers });
  const allClubs = get("/{apiset}/Clubs", {}, gzip);
  const uncompressed = get("/{apiset}/Clubs");
  const versions = Map.groupBy(standIn.courses, ({ ClubID }) => ClubID);
  const largestFirst = [...versions].sort(([, one], [, other]) => other.length - one.length);
  const courses = largestFirst
    .slice(0, clubsAsked)
    .map(([clubId]) => get("/{apiset}/Clubs/{clubId}/Courses", { clubId }, gzip));
  const times = 5;
  return [
    {
      name: `the list of ${standIn.clubs.length} clubs`,
      events: () => Array.from({ length: times }, () => [allClubs, uncompressed]).flat(),
      answered: answeredOrRefused,
    },
    {
      name: `that list, and the courses of ${courses.length} clubs`,
      events: () => [allClubs, ...courses, ...courses, allClubs],
      answered: answeredWell,
    },
  ];
}

/** What a pass answers that has left nothing out. */
export const gotThrough = /"failed":0,"unmirrored":0,"left":0\b/;

/** For mirror-courses: the whole register into empty tables, and again as every night. */
export function largestPasses({ standIn }: FunctionsInFront): LargestInput[] {
  return [
    {
      name: `full passes over ${standIn.clubs.length} clubs`,
      events: () => [{ pass: "full" }, { pass: "full" }],
      answered: gotThrough,
    },
  ];
}

/** For read-members: one member after the other, and the largest record that fits into a response, again and again. */
export async function largestLookUps({ apiSet, standIn }: FunctionsInFront): Promise<LargestInput[]> {
  const union = await startUnionOfOneRecord();
  const members = standIn.members.slice(0, 50);
  return [
    {
      name: `${members.length} members, one after the other`,
      events: () =>
        members.map(({ LifeTimeID }) =>
          apiEvent({
            method: "GET",
            resource: "/{apiset}/Clubs/Golfer",
            apiSet,
            query: { lifetimeID: [LifeTimeID] },
          }),
        ),
      answered: answeredWell,
    },
    {
      name: `a record of ${union.rounds} rounds, five times`,
      environment: { UNION_BASE_ADDRESS: union.address },
      events: () =>
        Array.from({ length: 5 }, () =>
          apiEvent({
            method: "GET",
            resource: "/{apiset}/clubs/{clubId}/Memberships/Scorecards",
            apiSet,
            path: { clubId: standIn.clubs[0]?.ID ?? "" },
            query: { unionid: ["1-1"] },
          }),
        ),
      answered: answeredWell,
    },
  ];
}
