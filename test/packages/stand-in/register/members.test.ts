import { handicapIndex as handicapIndexByRule } from "@scorecard-pipeline/whs";
import { describe, expect, test } from "vitest";
import { inventRecord } from "../../../../packages/stand-in/register/invented-record.ts";
import { inventUnion } from "../../../../packages/stand-in/register/union-data.ts";
import { now, startUnion } from "../start-union.ts";

const invented = (seed = 1) => inventUnion({ seed, clubs: 40, members: 2_000, now });
const { members, clubs } = invented();

describe("the members", () => {
  test("are 2,000 unless another number is asked for", async () => {
    const union = await startUnion({ members: undefined as never });
    expect(union.members).toHaveLength(2_000);
    await union.stop();
  });

  test("are the same for the same seed, and others for another", () => {
    expect(invented().members).toEqual(members);
    expect(invented(2).members).not.toEqual(members);
  });

  test("have a LifeTimeID of their birth date and a counter within it, which nobody shares", () => {
    for (const { LifeTimeID, BirthDate } of members) {
      const [, year, month, day] = /^\d\d(\d\d)(\d\d)(\d\d)T/.exec(BirthDate) ?? [];
      expect(LifeTimeID.slice(0, 6)).toBe(`${day}${month}${year}`);
    }
    expect(new Set(members.map(({ LifeTimeID }) => LifeTimeID)).size).toBe(2_000);
    expect(members.some(({ LifeTimeID }) => LifeTimeID.endsWith("-002"))).toBe(true);
  });

  test("are of every handicap status, amateurs and professionals", () => {
    expect(new Set(members.map(({ HandicapStatus }) => HandicapStatus))).toEqual(
      new Set([1, 2, 3, 4, 5, 6, 8, 9]),
    );
    expect(new Set(members.map(({ Status }) => Status))).toEqual(new Set([1, 2]));
  });

  test("have plus handicaps, and none above 54.0", () => {
    const indexes = members.map(({ Handicap }) => Number(Handicap));
    expect(Math.min(...indexes)).toBeLessThan(0);
    expect(Math.max(...indexes)).toBe(540_000);
    expect(indexes.every((index) => index % 1_000 === 0)).toBe(true);
  });
});

describe("the memberships", () => {
  const memberships = members.flatMap(({ Memberships }) => Memberships);

  test("are of every type", () => {
    expect(new Set(memberships.map(({ Type }) => Type))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
  });

  test("include the home club's once for everybody, and others for some", () => {
    for (const { Memberships } of members) {
      expect(Memberships.filter(({ IsHomeClub }) => IsHomeClub)).toHaveLength(1);
    }
    expect(members.some(({ Memberships }) => Memberships.length > 1)).toBe(true);
  });

  test("name their club and the home club, which are the same at home", () => {
    for (const { IsHomeClub, Club, HomeClub } of memberships) {
      expect(Club.ID === HomeClub.ID).toBe(IsHomeClub);
      const club = clubs.find(({ ID }) => ID === Club.ID);
      expect(club).toMatchObject(Club);
    }
  });

  test("have a UnionID of club number and member number, which is unique in its club", () => {
    for (const { UnionID, Club } of memberships)
      expect(UnionID).toMatch(new RegExp(`^${Club.UnionNumber}-\\d+$`));
    expect(new Set(memberships.map(({ UnionID }) => UnionID)).size).toBe(memberships.length);
  });
});

describe("a member's scoring record", () => {
  test("gives exactly the handicap that the member has", () => {
    for (const member of members) {
      const { handicapIndex, differentials } = inventRecord(member);
      if (handicapIndex === undefined) continue;
      const byRule = handicapIndexByRule({ differentials: differentials.map((tenths) => tenths * 1_000) });
      expect(byRule?.value).toBe(Number(member.Handicap));
    }
  });

  test("is empty without a handicap, and the same whenever it is asked for", () => {
    const unallocated = members.find(({ HandicapStatus }) => HandicapStatus === 9);
    expect(inventRecord(unallocated ?? (members[0] as never))).toMatchObject({
      differentials: [],
      handicapIndex: undefined,
    });
    for (const member of members.slice(0, 20)) expect(inventRecord(member)).toEqual(inventRecord(member));
  });
});
