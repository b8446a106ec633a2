import { tzOffset } from "@date-fns/tz";
import {
  type Assumption,
  hasStatus,
  isList,
  set,
  type UnionUnderTest,
  unknownId,
  type Version,
} from "./assumption.ts";
import { cardAssumptions } from "./card-assumptions.ts";
import { recordAssumptions } from "./record-assumptions.ts";
import type { UnionReply } from "./union-requests.ts";

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const timestamp = /^\d{8}T\d{6}$/;
const lacking = (entries: readonly object[], fields: readonly string[]) =>
  fields.filter((field) => entries.some((entry) => !(field in entry)));

function sameList(reply: UnionReply, other: UnionReply): string | undefined {
  const status = hasStatus(reply, 200);
  return (
    status ??
    (reply.json?.length === other.json?.length ? undefined : "another list than by the path as documented")
  );
}

const courseList = async (asked: UnionUnderTest, query: string): Promise<readonly Version[] | string> => {
  const { clubId } = await asked.courses();
  const reply = await asked.get(`${set(asked)}/clubs/${clubId}/courses?${query}`);
  return hasStatus(reply, 200) ?? (isList(reply.json) ? (reply.json as unknown as Version[]) : "no list");
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
      const missing = lacking(reply.json, ["ID", "UnionNumber", "Name", "ShortName"]);
      return missing.length > 0 ? `${missing.join(", ")} missing` : undefined;
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
    async check(asked) {
      const missing = lacking((await asked.clubs()).json, ["AddressLine2", "Floor", "Side", "Homepage"]);
      return missing.length > 0 ? `${missing.join(", ")} left out` : undefined;
    },
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
      const missing = lacking(reply.json, [
        "ID",
        "TemplateID",
        "ClubID",
        "Name",
        "ActivationDate",
        "Version",
        "IsActive",
        "Tees",
      ]);
      return missing.length > 0 ? `${missing.join(", ")} missing` : undefined;
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
    async check(asked) {
      const list = await courseList(asked, "sortTee=SlopeRating:0");
      if (typeof list === "string") return list;
      return list.every(({ Tees }) => isOrdered(Tees.map(({ SlopeRating }) => SlopeRating)))
        ? undefined
        : "not sorted";
    },
  },
  {
    name: "Courses: excludeParams=tees gives an empty list",
    async check(asked) {
      const list = await courseList(asked, "excludeParams=tees");
      if (typeof list === "string") return list;
      return list.every(({ Tees }) => Array.isArray(Tees) && Tees.length === 0)
        ? undefined
        : "Tees is something else";
    },
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
    async check(asked) {
      const list = await courseList(asked, "changedsince=20990101T000000");
      return typeof list === "string" ? list : list.length > 0 ? "what has not changed is listed" : undefined;
    },
  },
  {
    name: "Query names in any case",
    async check(asked) {
      const list = await courseList(asked, "EXCLUDEPARAMS=tees");
      if (typeof list === "string") return list;
      return list.some(({ Tees }) => Tees?.length > 0) ? "the name is not understood" : undefined;
    },
  },
  {
    name: "One course by the ID of a version",
    async check(asked) {
      const { versions, clubId } = await asked.courses();
      const { ID = "" } = versions[0] ?? {};
      const reply = await asked.get(`${set(asked)}/clubs/${clubId}/courses/${ID}`);
      return (
        hasStatus(reply, 200) ??
        (String(reply.json?.ID).toUpperCase() === ID.toUpperCase() ? undefined : "another version")
      );
    },
  },
  {
    name: "One course by its TemplateID",
    async check(asked) {
      const { versions, clubId } = await asked.courses();
      const { TemplateID = "" } = versions[0] ?? {};
      const reply = await asked.get(`${set(asked)}/clubs/${clubId}/courses/${TemplateID}`);
      return hasStatus(reply, 200) ?? (reply.json?.TemplateID === TemplateID ? undefined : "another course");
    },
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
