import { tzOffset } from "@date-fns/tz";
import type { UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { type Assumption, hasStatus, isList, set, type UnionUnderTest, unknownId } from "./assumption.ts";
import { cardAssumptions } from "./card-assumptions.ts";
import { recordAssumptions } from "./record-assumptions.ts";
import type { UnionReply } from "./union-requests.ts";

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const timestamp = /^\d{8}T\d{6}$/;

/** @returns undefined if every entry of a list has the fields, else those that one lacks */
function missingFields(entries: readonly object[], fields: readonly string[], how = "missing") {
  const missing = fields.filter((field) => entries.some((entry) => !(field in entry)));
  return missing.length > 0 ? `${missing.join(", ")} ${how}` : undefined;
}

function sameList(reply: UnionReply, other: UnionReply): string | undefined {
  const status = hasStatus(reply, 200);
  return (
    status ??
    (reply.json?.length === other.json?.length ? undefined : "another list than by the path as documented")
  );
}

/** Reads the courses of the club with a query. @returns what was seen instead, if it is no list */
const courseList = async (
  asked: UnionUnderTest,
  query: string,
): Promise<readonly UnionCourseVersion[] | string> => {
  const { clubId } = await asked.courses();
  const reply = await asked.get(`${set(asked)}/clubs/${clubId}/courses?${query}`);
  return (
    hasStatus(reply, 200) ??
    (isList(reply.json) ? (reply.json as unknown as UnionCourseVersion[]) : "no list")
  );
};

/** A check of the courses that a query lists. @param fault what is wrong, if they do not meet it */
const listsCourses =
  (query: string, meets: (list: readonly UnionCourseVersion[]) => boolean, fault: string) =>
  async (asked: UnionUnderTest): Promise<string | undefined> => {
    const list = await courseList(asked, query);
    if (typeof list === "string") return list;
    return meets(list) ? undefined : fault;
  };

/** A check of the course that a path names. @param field of the version whose value is the path's */
const showsCourse = (field: "ID" | "TemplateID", fault: string) => async (asked: UnionUnderTest) => {
  const { versions, clubId } = await asked.courses();
  const named = String(versions[0]?.[field]);
  const reply = await asked.get(`${set(asked)}/clubs/${clubId}/courses/${named}`);
  const shown = String(reply.json?.[field]);
  return hasStatus(reply, 200) ?? (shown.toUpperCase() === named.toUpperCase() ? undefined : fault);
};

const isOrdered = (values: readonly number[]) =>
  values.every((value, place) => place === 0 || value >= (values[place - 1] ?? value));

/** All that the pipeline takes for granted, by API. The ones that need cards come last. */
export const assumptions: readonly Assumption[] = [
  {
    name: "Clubs: a list with ID, UnionNumber, Name and ShortName",
    async check(asked) {
      const reply = await asked.clubs();
      if (reply.status !== 200 || !isList(reply.json))
        return `status ${reply.status}, ${isList(reply.json) ? "a" : "no"} list`;
      return missingFields(reply.json, ["ID", "UnionNumber", "Name", "ShortName"]);
    },
  },
  {
    name: "Clubs: IDs are GUIDs, UnionNumbers whole numbers",
    check: async (asked) =>
      (await asked.clubs()).json.every(
        (club: Record<string, unknown>) => guid.test(String(club.ID)) && Number.isInteger(club.UnionNumber),
      )
        ? undefined
        : "another form",
  },
  {
    name: "Nulls: fields without a value are null, not left out",
    check: async (asked) =>
      missingFields((await asked.clubs()).json, ["AddressLine2", "Floor", "Side", "Homepage"], "left out"),
  },
  {
    name: "Paths in any case",
    check: async (asked) => sameList(await asked.get(`${set(asked)}/CLUBS`), await asked.clubs()),
  },
  {
    name: "API set in any case",
    check: async (asked) =>
      sameList(await asked.get(`${set(asked).toUpperCase()}/Clubs`), await asked.clubs()),
  },
  {
    name: "Empty segments are passed over",
    check: async (asked) => sameList(await asked.get(`${set(asked)}//Clubs`), await asked.clubs()),
  },
  {
    name: "Header Token is not needed for clubs",
    check: async (asked) =>
      sameList(await asked.get(`${set(asked)}/Clubs`, { Token: undefined }), await asked.clubs()),
  },
  {
    name: "One club by its ID, in any case",
    async check(asked) {
      const { clubId } = await asked.courses();
      const reply = await asked.get(`${set(asked)}/Clubs/${clubId.toLowerCase()}`);
      return (
        hasStatus(reply, 200) ??
        (String(reply.json?.ID).toUpperCase() === clubId.toUpperCase() ? undefined : "another club")
      );
    },
  },
  {
    name: "Errors: an unknown club is 404",
    check: async (asked) => hasStatus(await asked.get(`${set(asked)}/Clubs/${unknownId}`), 404),
  },
  {
    name: "Errors: wrong credentials are 401 with WWW-Authenticate: Basic",
    async check(asked) {
      const reply = await asked.get(`${set(asked)}/Clubs`, { Authorization: "Basic d3Jvbmc6d3Jvbmc=" });
      return (
        hasStatus(reply, 401) ??
        (/^basic/i.test(reply.headers.get("www-authenticate") ?? "")
          ? undefined
          : "no WWW-Authenticate: Basic")
      );
    },
  },
  {
    name: "Errors: another API set is 403",
    check: async (asked) => hasStatus(await asked.get("no-such-api-set/Clubs"), 403),
  },
  {
    name: "Courses: every version with ID, TemplateID, ActivationDate, Version, IsActive and Tees",
    async check(asked) {
      const { reply } = await asked.courses();
      if (reply.status !== 200 || !isList(reply.json)) return `status ${reply.status}`;
      const fields = ["ID", "TemplateID", "ClubID", "Name", "ActivationDate", "Version", "IsActive", "Tees"];
      return missingFields(reply.json, fields);
    },
  },
  {
    name: "Courses: times are yyyymmddThhnnss",
    check: async (asked) =>
      (await asked.courses()).versions.every(({ ActivationDate }) => timestamp.test(ActivationDate))
        ? undefined
        : "another form",
  },
  {
    name: "Courses: ActivationDate is midnight of the union's zone, in UTC",
    async check(asked) {
      const wrong = (await asked.courses()).versions.filter(({ ActivationDate }) => {
        const utc = new Date(
          ActivationDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z"),
        );
        const minutes = utc.getUTCHours() * 60 + utc.getUTCMinutes() + tzOffset(asked.options.timeZone, utc);
        return minutes % 1440 !== 0;
      });
      return wrong.length > 0 ? `not so in ${wrong.length} versions` : undefined;
    },
  },
  {
    name: "Courses: ratings are times 10,000, slopes whole",
    check: async (asked) =>
      (await asked.courses()).versions
        .flatMap(({ Tees }) => Tees)
        .every(
          ({ CourseRating, SlopeRating }) =>
            (Number(CourseRating) === 0 || Number(CourseRating) > 100_000) && SlopeRating < 200,
        )
        ? undefined
        : "another factor",
  },
  {
    name: "Courses: active=1 and active=0",
    async check(asked) {
      for (const flag of [1, 0]) {
        const list = await courseList(asked, `active=${flag}`);
        if (typeof list === "string") return list;
        if (list.some(({ IsActive }) => IsActive !== (flag === 1))) return `active=${flag} gives others`;
      }
      return undefined;
    },
  },
  {
    name: "Courses: sort, ascending 0 and descending 1",
    async check(asked) {
      const [up, down] = [
        await courseList(asked, "sort=Version:0"),
        await courseList(asked, "sort=Version:1"),
      ];
      if (typeof up === "string" || typeof down === "string") return String(up);
      const isSorted = isOrdered(up.map((one) => one.Version)) && isOrdered(down.map((one) => -one.Version));
      return isSorted ? undefined : "not sorted";
    },
  },
  {
    name: "Courses: sortTee",
    check: listsCourses(
      "sortTee=SlopeRating:0",
      (list) => list.every(({ Tees }) => isOrdered(Tees.map(({ SlopeRating }) => SlopeRating))),
      "not sorted",
    ),
  },
  {
    name: "Courses: excludeParams=tees gives an empty list",
    check: listsCourses(
      "excludeParams=tees",
      (list) => list.every(({ Tees }) => Array.isArray(Tees) && Tees.length === 0),
      "Tees is something else",
    ),
  },
  {
    name: "Courses: a tee's ID is that of one course only",
    async check(asked) {
      const { versions } = await asked.courses();
      const tees = versions.flatMap(({ TemplateID, Tees }) => Tees.map(({ ID }) => ({ ID, TemplateID })));
      const courses = Map.groupBy(tees, ({ ID }) => ID?.toUpperCase());
      const shared = [...courses.values()].filter(
        (ofTee) => new Set(ofTee.map(({ TemplateID }) => TemplateID)).size > 1,
      );
      return shared.length > 0 ? `${shared.length} IDs of tees are of several courses` : undefined;
    },
  },
  {
    name: "Courses: changedsince",
    check: listsCourses(
      "changedsince=20990101T000000",
      ({ length }) => length === 0,
      "what has not changed is listed",
    ),
  },
  {
    name: "Query names in any case",
    check: listsCourses(
      "EXCLUDEPARAMS=tees",
      (list) => !list.some(({ Tees }) => Tees?.length > 0),
      "the name is not understood",
    ),
  },
  {
    name: "One course by the ID of a version",
    check: showsCourse("ID", "another version"),
  },
  {
    name: "One course by its TemplateID",
    check: showsCourse("TemplateID", "another course"),
  },
  {
    name: "Golfer_ByAccessToken: no valid token is 401",
    check: async (asked) =>
      hasStatus(await asked.get(`${set(asked)}/clubs/Golfer_ByAccessToken`, { Token: "none" }), 401),
  },
  {
    name: "Golfer: the member by unionID, with Handicap times 10,000 as text and Memberships",
    needs: ["player"],
    async check(asked) {
      const reply = await asked.member();
      const { json } = reply;
      const status = hasStatus(reply, 200);
      if (status !== undefined) return status;
      if (typeof json?.Handicap !== "string" || !/^-?\d+$/.test(json.Handicap))
        return "Handicap has another form";
      return isList(json.Memberships) && json.Memberships.length > 0 ? undefined : "no Memberships";
    },
  },
  {
    name: "Golfer: LifeTimeID is xxxxxx-xxx",
    needs: ["player"],
    check: async (asked) =>
      /^\d{6}-\d{3}$/.test((await asked.member()).json?.LifeTimeID) ? undefined : "another form",
  },
  {
    name: "Golfer: an unknown player is 404",
    needs: ["player"],
    check: async (asked) => hasStatus(await asked.get(`${set(asked)}/Clubs/Golfer?unionID=0-0`), 404),
  },
  ...recordAssumptions,
  ...cardAssumptions,
];
