import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { packJson } from "../../../core/aws/packed-json.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { syncMirror } from "../../../core/register/sync.ts";
import type { Listing } from "../../../core/register/union-register.ts";
import { plenty, provideMirrors } from "./mirror-under-test.ts";
import { club, recordOf, version } from "./union-in-memory.ts";

const { mirror } = await provideMirrors();

/** A mirror of clubs whose lists are set by the test, whatever ClubID their records have. */
async function mirrorOfLists(clubs = [1, 2, 3]) {
  const lists = new Map<string, CourseVersion[]>();
  const listed = clubs.map((number) => club(number));
  const { dependencies, courses, clock, written, register, client, names } = await mirror(listed, []);
  const list = (clubId: string): Listing => ({
    entries: (lists.get(clubId) ?? []).map(recordOf),
    skipped: [],
  });
  const ofLists = {
    ...dependencies,
    union: { ...register, courses: async (_: unknown, id: string) => list(id) },
  };
  return {
    listed,
    courses,
    written,
    dependencies: ofLists,
    /** Stores a version as the function did before it knew of listings. */
    async older(one: CourseVersion, changedAt: number) {
      const item = {
        id: { S: one.ID },
        templateId: { S: one.TemplateID },
        clubId: { S: one.ClubID },
        version: { N: String(one.Version) },
        changedAt: { N: String(changedAt) },
        fingerprint: { S: "of another form" },
        content: { B: packJson(one) },
      };
      await client.send(new PutItemCommand({ TableName: names.courses, Item: item }));
    },
    lists: (...numbers: readonly (readonly number[])[]) => {
      for (const [place, ofClub] of numbers.entries())
        lists.set(
          club(place + 1).ID,
          ofClub.map((number) => version(number, { ClubID: club(1).ID as CourseVersion["ClubID"] })),
        );
    },
    async sync(kind: "changes" | "full" = "full", of = ofLists) {
      clock.now += 900_000;
      return syncMirror(of, kind, plenty);
    },
    shown: async (number: number) =>
      (await courses.club(club(number).ID)).map((one) => Number(one.version.ID.slice(-4))).sort(),
    clubsOf: async (number: number) =>
      (await courses.version(version(number).ID))?.clubs.map((id) => Number(id.slice(-4))).sort(),
  };
}

test.each([
  ["before", [1, 2]],
  ["after", [2, 1]],
])(
  "a record that moves unchanged to a club asked %s its old one is that club's after one sync",
  async (_, [from, to]) => {
    const { lists, sync, shown, clubsOf, written } = await mirrorOfLists();
    const [few, many] = [
      [11, 12, 13, 14],
      [11, 12, 13, 14, 15],
    ];
    lists(from === 1 ? many : few, from === 1 ? few : many);
    await sync();
    await sync();
    written.length = 0;
    lists(from === 1 ? few : many, from === 1 ? many : few);
    await sync();
    expect([await shown(from as number), await shown(to as number)]).toEqual([few, many]);
    expect(await clubsOf(15)).toEqual([to]);
    expect(written).toEqual([version(15).ID]);
  },
);

test("a record that several clubs list is in the list of each, and stays in those that still have it", async () => {
  const { lists, sync, shown, clubsOf, courses, written } = await mirrorOfLists();
  lists([1, 4, 5, 6], [1, 7, 8, 9], [1, 10, 11, 12]);
  await sync();
  expect([await shown(1), await shown(2), await shown(3)]).toEqual([
    [1, 4, 5, 6],
    [1, 7, 8, 9],
    [1, 10, 11, 12].sort(),
  ]);
  written.length = 0;
  await sync();
  expect(written).toEqual([]);
  lists([4, 5, 6]);
  await sync();
  expect(await clubsOf(1)).toEqual([2, 3]);
  expect(await shown(2)).toEqual([1, 7, 8, 9]);
  lists([4, 5, 6], [7, 8, 9], [10, 11, 12]);
  await sync();
  expect(await clubsOf(1)).toEqual([]);
  lists([4, 5, 6], [7, 8, 9], [1, 10, 11, 12]);
  await sync();
  expect(await clubsOf(1)).toEqual([3]);
  // It is back at the third club only.
  const removedFrom = async (number: number) =>
    (await courses.club(club(number).ID, true)).map((one) => Number(one.version.ID.slice(-4)));
  expect([await removedFrom(1), await removedFrom(2), await removedFrom(3)]).toEqual([[1], [1], []]);
  expect([await shown(1), await shown(2)]).toEqual([
    [4, 5, 6],
    [7, 8, 9],
  ]);
});

test("nothing is removed before every club has been asked, since another one may list it", async () => {
  const { dependencies, lists, sync, clubsOf, courses } = await mirrorOfLists();
  lists([11, 12, 13, 15], [21]);
  await sync();
  lists([11, 12, 13], [21, 15]);
  const failing = {
    ...dependencies,
    courses: {
      ...dependencies.courses,
      remove: async (...given: Parameters<typeof courses.remove>) => {
        expect(await clubsOf(15)).toEqual([1, 2]);
        return courses.remove(...given);
      },
    },
  };
  expect(await sync("full", failing)).toMatchObject({ removedVersions: 1 });
  expect(await clubsOf(15)).toEqual([2]);
  lists([11, 12], [21, 15]);
  let asks = 0;
  const report = await syncMirror(dependencies, "full", () => (asks++ < 2 ? 600_000 : 1000));
  expect(report).toMatchObject({ left: 1, removedVersions: 0 });
});

test("a removal that arrives late does not undo what has been written since", async () => {
  const { lists, sync, courses, clubsOf } = await mirrorOfLists();
  lists([11, 12, 13, 15], [21]);
  await sync();
  const read = await courses.listings(guidKey(club(1).ID));
  const late = read.filter(({ id }) => id === version(15).ID);
  const renamed = version(15, { Name: "Renamed" });
  await courses.put(guidKey(club(1).ID), [recordOf(renamed)], Date.UTC(2026, 5, 30));
  expect(await courses.remove(late, Date.UTC(2026, 6, 1))).toBe(0);
  expect(await clubsOf(15)).toEqual([1]);
  expect((await courses.version(version(15).ID))?.text).toBe(recordOf(renamed).text);
});

test("a record written by two clubs at once is stored, and listed by both", async () => {
  const { courses, clubsOf } = await mirrorOfLists();
  const [one, other] = [guidKey(club(1).ID), guidKey(club(2).ID)];
  await Promise.all([
    courses.put(one, [recordOf(version(1))], 1),
    courses.put(other, [recordOf(version(1))], 1),
  ]);
  expect(await clubsOf(1)).toEqual([1, 2]);
});

test("a record that another club has just changed is removed from the list of the club that lost it", async () => {
  const { lists, sync, courses, shown } = await mirrorOfLists();
  lists([11, 12, 13, 15], [21, 15]);
  await sync();
  const read = await courses.listings(guidKey(club(1).ID));
  const renamed = version(15, { Name: "Renamed" });
  await courses.put(guidKey(club(2).ID), [recordOf(renamed)], Date.UTC(2026, 5, 30));
  const lost = read.filter(({ id }) => id === version(15).ID);
  expect(await courses.remove(lost, Date.UTC(2026, 6, 1))).toBe(1);
  expect([await shown(1), await shown(2)]).toEqual([
    [11, 12, 13],
    [15, 21],
  ]);
});

test("a record that gets a new TemplateID while it moves is listed by one item, and counts once in a doubted list", async () => {
  const { lists, sync, courses, shown, clubsOf } = await mirrorOfLists();
  lists([11, 12, 13, 15], [21, 22, 23, 15]);
  await sync();
  lists([11, 12, 13], [21, 22, 23, 15]);
  await sync();
  const { TemplateID } = version(16);
  await courses.put(guidKey(club(2).ID), [recordOf(version(15, { TemplateID }))], Date.UTC(2026, 5, 30));
  expect(await courses.listings(guidKey(club(2).ID))).toHaveLength(4);
  expect(await clubsOf(15)).toEqual([2]);
  lists([11, 12, 13], [21, 22, 23]);
  expect(await sync()).toMatchObject({ doubtedLists: 0, removedVersions: 1 });
  expect(await shown(2)).toEqual([21, 22, 23]);
});

test("a list that lacks most of a club's versions is doubted, however many new ones it has", async () => {
  const { lists, sync, shown } = await mirrorOfLists();
  lists([11, 12, 13]);
  await sync();
  lists([11, 14, 15, 16, 17]);
  expect(await sync()).toMatchObject({ doubtedLists: 1, removedVersions: 0 });
  expect(await shown(1)).toEqual([11, 12, 13, 14, 15, 16, 17]);
  expect(await sync()).toMatchObject({ doubtedLists: 0, removedVersions: 2 });
  expect(await shown(1)).toEqual([11, 14, 15, 16, 17]);
});

test("what an older version stored is read, and is replaced by what the union sends", async () => {
  const { courses, older, shown, sync, lists } = await mirrorOfLists();
  await older(version(1), 1);
  expect(await shown(1)).toEqual([1]);
  expect((await courses.version(version(1).ID))?.clubs).toEqual([guidKey(club(1).ID)]);
  lists([2, 3, 4], [1]);
  await sync();
  await sync();
  expect([await shown(1), await shown(2)]).toEqual([[2, 3, 4], [1]]);
});
