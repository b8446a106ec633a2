import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { consentOf } from "../packages/stand-in/consent/app.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";
import { unionApp } from "./union-app.ts";
import { type CourseParameters, type UnionObject, unionClient } from "./union-client.ts";

let pipeline: Pipeline;
let here: ReturnType<typeof unionClient>;
let there: ReturnType<typeof unionClient>;
let app: ReturnType<typeof unionApp>;

beforeAll(async () => {
  pipeline = await sharedPipeline();
  const { account } = pipeline.vendor(0);
  here = unionClient({ ...account, baseUrl: pipeline.machine.run.api });
  there = unionClient({ ...account, baseUrl: pipeline.standIn.address });
  app = unionApp({ ...account, baseUrl: pipeline.machine.run.api });
});
afterAll(() => pipeline?.stop());

const byId = (list: readonly UnionObject[]) =>
  list.toSorted((one, other) => (String(one.ID) < String(other.ID) ? -1 : 1));
const ids = (list: readonly { readonly ID?: unknown }[]) => list.map(({ ID }) => ID);
describe("a client of the union moves over by changing the base address, and", () => {
  test("gets the same clubs, all and one by one", async () => {
    const clubs = await there.clubs();
    expect(byId(await here.clubs())).toEqual(byId(clubs));
    for (const { ID } of clubs.slice(0, 5)) {
      expect(await here.club(String(ID))).toEqual(await there.club(String(ID)));
      expect(await here.club(String(ID).toLowerCase())).toEqual(await there.club(String(ID)));
    }
  });

  const parameters: CourseParameters[] = [
    {},
    { active: "1" },
    { active: "0" },
    { changedsince: "20000101T000000" },
    { changedsince: "20990101T000000" },
    { active: "1", changedsince: "20000101T000000", sort: "ActivationDate:1", sortTee: "TotalLength:1" },
    { sort: "IsActive:0,ActivationDate:1" },
    { sort: "Version:0,NumberOfHoles:1" },
    { sortTee: "Gender:1,SlopeRating:0,CourseRating:1" },
    { sortTee: "IsNineHole:0,LastUpdateDate:1,TotalLength:0" },
  ];
  test.each(parameters)("the same courses by %j", async (query) => {
    const { clubs } = pipeline.standIn;
    for (const { ID } of clubs.slice(0, 12)) {
      expect(byId(await here.courses(ID, query))).toEqual(byId(await there.courses(ID, query)));
    }
  });

  test("the same course by a TemplateID and by the ID of a version", async () => {
    for (const { ClubID, TemplateID, ID } of pipeline.standIn.courses.slice(0, 20)) {
      expect(await here.course(ClubID, TemplateID)).toEqual(await there.course(ClubID, TemplateID));
      expect(await here.course(ClubID, ID)).toEqual(await there.course(ClubID, ID));
    }
  });

  test("the same member, by either number and by both", async () => {
    for (const { LifeTimeID, Memberships } of pipeline.standIn.members.slice(0, 5)) {
      const unionId = Memberships[0]?.UnionID ?? "";
      const member = await there.golfer(LifeTimeID);
      expect(await here.golfer(LifeTimeID)).toEqual(member);
      expect(await here.golferByUnionId(unionId)).toEqual(member);
      expect(await here.golferByBoth(LifeTimeID, unionId)).toEqual(member);
    }
  });

  test("the player who gave consent, by the token of it", async () => {
    const { username } = pipeline.vendor(0).account;
    const player = pipeline.standIn.members[7];
    const { access_token: token } = await consentOf(pipeline.standIn, username, player?.LifeTimeID ?? "");
    const member = await there.golferByAccessToken(token);
    expect(member.LifeTimeID).toBe(player?.LifeTimeID);
    expect(await here.golferByAccessToken(token)).toEqual(member);
    expect(await app.golferByAccessToken(token)).toEqual(member);
  });

  test("a player's record, which is at the union in an API set of its own", async () => {
    const { standIn } = pipeline;
    const { account } = pipeline.vendor(0);
    const statistics = unionClient({ ...account, apiSet: "statistik", baseUrl: standIn.address });
    const { Club, UnionID } = standIn.members[9]?.Memberships[0] ?? {};
    const [clubId, unionId] = [Club?.ID ?? "", UnionID ?? ""];
    const before = await statistics.playerRecord(clubId, unionId);
    expect(await here.playerRecord(clubId, unionId)).toEqual(before);

    const card = minimalCard(standIn, { ExternalID: "in-the-record", Player: { UnionID: unionId } });
    await here.submit("ScorecardExchange", [card]);
    await expect.poll(() => app.playerRecord(clubId, unionId)).not.toEqual(before);
    const record = await statistics.playerRecord(clubId, unionId);
    expect(await here.playerRecord(clubId, unionId)).toEqual(record);
    expect(await app.playerRecord(clubId, unionId)).toEqual(record);
    // A vendor's requests are also compared with the API's document.
    const path = `Clubs/${clubId}/Memberships/Scorecards?unionid=${unionId}`;
    expect((await pipeline.vendor(0).ask("GET", path)).body).toEqual(record);
  });

  test("gets its cards back, delivered", async () => {
    const card = minimalCard(pipeline.standIn, { ExternalID: "moved-over" });
    const [echoed] = await here.submit("ScorecardExchange", [card]);
    expect(echoed).toMatchObject({ ExternalID: "moved-over", Player: card.Player, Round: card.Round });
    await pipeline.standIn.posted("moved-over");
  });
});

describe("a client that behaves as the union's own app", () => {
  test("gets every night what is active of every club, the latest first, the longest tee first", async () => {
    const clubs = await app.clubs();
    expect(clubs).toHaveLength(pipeline.standIn.clubs.length);
    const kept = [];
    for (const { ID } of clubs) {
      const courses = await app.coursesSince(ID, "20000101T000000");
      const dates = courses.map(({ ActivationDate }) => ActivationDate);
      expect(dates).toEqual(dates.toSorted().reverse());
      for (const { Tees } of courses) {
        const lengths = Tees.map(({ TotalLength }) => TotalLength);
        expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
      }
      kept.push(...courses);
      expect(await app.coursesSince(ID, "20990101T000000")).toEqual([]);
    }
    const active = pipeline.standIn.courses.filter(({ IsActive }) => IsActive);
    expect(ids(kept).toSorted()).toEqual(ids(active).toSorted());
  });

  test("finds a player, without any token", async () => {
    const [member] = pipeline.standIn.members;
    const found = await app.golfer(member?.Memberships[0]?.UnionID ?? "");
    expect(found.LifeTimeID).toBe(member?.LifeTimeID);
  });

  test("submits cards where it always has", async () => {
    const cards = ["app-1", "app-2"].map((ExternalID) => minimalCard(pipeline.standIn, { ExternalID }));
    const echoed = await app.submit(cards);
    expect(echoed.map(({ ExternalID }) => ExternalID)).toEqual(["app-1", "app-2"]);
    await pipeline.standIn.posted("app-2");
  });
});
