import { expect, test } from "vitest";
import { ask, guide, playedCourse, post, provideUnion, vendor } from "../start-union.ts";

const office = { ...vendor, username: "office", apiSet: "office", clubs: [1] };

// Tests start each interval themselves.
const union = await provideUnion({ accounts: [vendor, guide, office], processingInterval: 3_600_000 });

/** A membership at the place among those of all members. */
function membershipAt(place: number) {
  const membership = union.members[place]?.Memberships[0];
  if (membership === undefined) throw new Error("no member");
  return { unionId: membership.UnionID, club: membership.Club };
}
const pathOf = ({ unionId, club }: ReturnType<typeof membershipAt>) =>
  `/statistik/clubs/${club.ID}/Memberships/Scorecards?unionid=${unionId}`;

function card(ExternalID: string, unionId: string, day: string, change: object = {}) {
  const version = playedCourse(union);
  const [tee] = version.Tees;
  return {
    ExternalID,
    HCP: "123000",
    CourseHandicap: 18,
    Course: {
      CourseID: version.ID,
      TeeID: tee?.ID,
      Name: "Old",
      TeePar: 72,
      TeeRating: "712000",
      TeeSlope: 120,
    },
    Result: {
      Strokes: tee?.Holes.map(({ Par }) => Par + 1),
      IsQualifying: true,
      TotalStrokes: 90,
      TotalPoints: 36,
    },
    Round: { HolesPlayed: 18, RoundType: 1, StartTime: `${day}T090000` },
    Player: { UnionID: unionId },
    ...change,
  };
}

test("a player's record has each processed card, the latest first, with its Score Differential and without ExternalIDs", async () => {
  const player = membershipAt(0);
  expect((await ask(union, pathOf(player))).body).toEqual([]);
  await post(union, [card("one", player.unionId, "20260610"), card("two", player.unionId, "20260611")]);
  await union.process();
  const { status, text, body } = await ask(union, pathOf(player));
  expect(status).toBe(200);
  expect(text).not.toMatch(/one|two|ExternalID/);
  const [second, first] = union.playerRecord(player.unionId).toReversed();
  expect(body).toEqual([
    {
      HCP: "123000",
      Result: {
        IsQualifying: true,
        SGD: String((second?.differential ?? 0) * 1000),
        TotalPoints: "36",
        TotalStrokes: "90",
      },
      Round: { StartTime: "20260611T090000", HolesPlayed: "18" },
      Course: { Name: "Old", TeePar: "72", TeeRating: "712000", TeeSlope: "120" },
    },
    {
      HCP: 123_000,
      Result: {
        IsQualifying: true,
        SGD: (first?.differential ?? 0) * 1000,
        TotalPoints: 36,
        TotalStrokes: 90,
      },
      Round: { StartTime: "20260610T090000", HolesPlayed: 18 },
      Course: { Name: "Old", TeePar: 72, TeeRating: 712_000, TeeSlope: 120 },
    },
  ]);
});

test("a card that is corrected is in the record once, and one that is not qualifying without a differential", async () => {
  const player = membershipAt(1);
  const qualifying = card("corrected", player.unionId, "20260610");
  const { Result } = qualifying;
  await post(union, [qualifying]);
  await union.process();
  await post(union, [{ ...qualifying, Result: { ...Result, IsQualifying: false } }]);
  await union.process();
  expect((await ask(union, pathOf(player))).body).toMatchObject([
    { Result: { IsQualifying: false, SGD: null } },
  ]);
});

test("a card of nobody, of an unknown tee, or that the union is told not to process, is in no record", async () => {
  const player = membershipAt(2);
  const { Course } = card("x", player.unionId, "20260610");
  Object.assign(union.faults, { unprocessed: ["lost"] });
  await post(union, [
    card("nobody", "9999-1", "20260610"),
    card("unknown tee", player.unionId, "20260611", { Course: { ...Course, TeeID: "no tee" } }),
    card("lost", player.unionId, "20260612"),
    card("kept", player.unionId, "20260613"),
  ]);
  await union.process();
  Object.assign(union.faults, { unprocessed: [] });
  expect((await ask(union, pathOf(player))).body).toMatchObject([
    { Round: { StartTime: "20260613T090000" } },
  ]);
});

test("paths and parameters are taken in any case", async () => {
  const { unionId, club } = membershipAt(0);
  const path = `/Statistik/Clubs/${club.ID.toLowerCase()}/memberships/scorecards?UnionID=${unionId}`;
  expect((await ask(union, path)).status).toBe(200);
});

test("who is no member of the club is 404, and a request that names nobody 400", async () => {
  const player = membershipAt(0);
  const elsewhere = union.clubs.find(({ ID }) => ID !== player.club.ID);
  expect((await ask(union, pathOf({ ...player, unionId: "9999-1" }))).status).toBe(404);
  expect(
    (await ask(union, `/statistik/clubs/${elsewhere?.ID}/Memberships/Scorecards?unionid=${player.unionId}`))
      .status,
  ).toBe(404);
  expect((await ask(union, `/statistik/clubs/${player.club.ID}/Memberships/Scorecards`)).status).toBe(400);
});

test("an account needs the resource, and the club's agreement as for looking members up", async () => {
  expect((await ask(union, pathOf(membershipAt(0)), { account: guide })).status).toBe(403);
  const statuses = new Map<number, number>();
  for (const [place] of union.members.entries()) {
    const player = membershipAt(place);
    const { status } = await ask(union, pathOf(player), { account: office });
    if (player.club.UnionNumber === 1 || status === 403)
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].sort()).toEqual([200, 403]);
});

test("requests are counted, and the most at the same time", async () => {
  const before = union.requests.records;
  const path = pathOf(membershipAt(0));
  let sent = 0;
  // On a busy machine the first may be answered before the third is read: then all of them take longer.
  for (let latency = 20; union.record.records.maxAtOnce < 3 && latency < 60_000; latency *= 4) {
    Object.assign(union.faults, { latencyMilliseconds: latency });
    await Promise.all([ask(union, path), ask(union, path), ask(union, path)]);
    sent += 3;
  }
  Object.assign(union.faults, { latencyMilliseconds: 0 });
  expect(union.requests.records).toBe(before + sent);
  expect(union.record.records.maxAtOnce).toBe(3);
  await expect.poll(() => union.record.records.atOnce).toBe(0);
});
