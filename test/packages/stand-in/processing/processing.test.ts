import {
  type ScoreDifferentialFigures,
  scoreDifferential,
  shortRoundScoreDifferential,
} from "@scorecard-pipeline/whs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { unionProfiles } from "../../../../packages/stand-in/base/union-profile.ts";
import type { UnionCourseVersion, UnionMember } from "../../../../packages/stand-in/register/records.ts";
import type { StandIn, StandInOptions } from "../../../../packages/stand-in/stand-in.ts";
import { smallestCard } from "../../../../unions/conformance/smallest-card.ts";
import { ask, playedCourse, post, startUnion } from "../start-union.ts";

let union: StandIn;
/** A union of which tests start each interval themselves. */
const startWithMembers = (options: Partial<StandInOptions> = {}) =>
  startUnion({ members: 200, processingInterval: 3_600_000, ...options });
beforeEach(async () => {
  union = await startWithMembers();
});
afterEach(() => union.stop());

const course = (holes = 18) => playedCourse(union, holes);
const member = (status = 3, place = 0): UnionMember => {
  const found = union.members.filter(({ HandicapStatus }) => HandicapStatus === status)[place];
  if (found === undefined) throw new Error("no member");
  return found;
};
const unionId = ({ Memberships }: UnionMember) => Memberships[0]?.UnionID ?? "";

interface CardChange {
  readonly player?: UnionMember;
  readonly version?: UnionCourseVersion;
  readonly over?: number;
  readonly strokes?: readonly number[];
  readonly day?: string;
  readonly [field: string]: unknown;
}

/** The minimal card: so many over par on every hole. */
function card(ExternalID: string, change: CardChange = {}) {
  const { player = member(), version = course(), over = 1, strokes, day = "20260610", ...fields } = change;
  const tee = version.Tees[0];
  const smallest = smallestCard({
    externalId: ExternalID,
    course: { CourseID: version.ID, ClubID: version.ClubID, TeeID: tee?.ID ?? "" },
    handicapIndex: player.Handicap,
    courseHandicap: 18,
    player: unionId(player),
    strokes: strokes ?? tee?.Holes.map(({ Par }) => Par + over) ?? [],
    startTime: `${day}T090000`,
    createdAt: `${day}T140000`,
  });
  return { ...smallest, Round: { ...smallest.Round, HolesPlayed: 18 }, ...fields };
}

const lookUp = async (player: UnionMember) =>
  (await ask(union, `/acme/Clubs/Golfer?unionID=${unionId(player)}`)).body;
const record = (player: UnionMember) => union.playerRecord(unionId(player));

describe("a card that is corrected to another player", () => {
  const [first, second] = [() => member(), () => member(3, 1)];
  async function correct() {
    await post(union, [card("417", { player: first() })]);
    await union.process();
    const before = record(first()).length;
    await post(union, [card("417", { player: second() })]);
    await union.process();
    return { before, after: record(first()).length };
  }

  test("is taken off the first player's record, and the handicap is what it was", async () => {
    const shown = await lookUp(first());
    const { before, after } = await correct();
    expect([before, after, record(second()).length]).toEqual([1, 0, 1]);
    expect(await lookUp(first())).toMatchObject({ Handicap: (shown as UnionMember).Handicap });
  });

  test("stays in both records if the union keeps it", async () => {
    union.faults.keepFirstPlayer = true;
    const { before, after } = await correct();
    expect([before, after, record(second()).length]).toEqual([1, 1, 1]);
  });
});

describe("a posted card", () => {
  test("is picked up later and changes the handicap that the member lookup shows", async () => {
    const player = member();
    const cards = Array.from({ length: 8 }, (_, n) => card(`low-${n}`, { over: 0, day: `2026060${n + 1}` }));
    expect((await post(union, cards)).status).toBe(200);
    expect(await lookUp(player)).toEqual(player);
    expect(await union.process()).toEqual({ processed: 8, vanished: {} });
    const now = await lookUp(player);
    expect(Number(now.Handicap)).toBeLessThan(Number(player.Handicap));
    expect(now).toEqual({ ...player, Handicap: now.Handicap, HandicapDato: "20260617T090000" });
    expect(union.members.find(({ ID }) => ID === player.ID)).toEqual(now);
  });

  test("is picked up by itself when its time has come", async () => {
    const quick = await startWithMembers({ processingInterval: 10 });
    await post(quick, [card("by-itself")]);
    const count = async () => (await fetch(`${quick.control}/processing`)).json();
    await expect.poll(count).toEqual({ processed: 1, vanished: {} });
    await quick.stop();
  });

  /** A bogey on every hole of a course. */
  const bogeys = ({ Tees: [tee] }: UnionCourseVersion): ScoreDifferentialFigures => ({
    adjustedGross: (tee?.Holes ?? []).reduce((sum, { Par }) => sum + Par + 1, 0),
    rating: Number(tee?.CourseRating),
    slope: tee?.SlopeRating ?? 0,
  });

  test("gives the Score Differential of its round", async () => {
    await post(union, [card("bogeys")]);
    await union.process();
    expect(record(member()).map(({ differential }) => differential * 1_000)).toEqual([
      scoreDifferential(bogeys(course())).value,
    ]);
  });

  test("of nine holes counts with the expected score for the others", async () => {
    const player = member();
    await post(union, [card("nine", { player, version: course(9), CourseHandicap: 9 })]);
    await union.process();
    const others = { handicapIndex: Number(player.Handicap), holesNotPlayed: 9 };
    const { value } = shortRoundScoreDifferential({ ...bogeys(course(9)), ...others });
    expect(record(player)[0]?.differential).toBe(value / 1_000);
  });

  test("of 14 of 18 holes counts with the expected score for four", async () => {
    const strokes = course().Tees[0]?.Holes.map(({ Par }, hole) => (hole < 14 ? Par + 1 : -1)) ?? [];
    await post(union, [card("fourteen", { strokes })]);
    await union.process();
    expect(record(member())[0]?.round.holesExpected).toBe(4);
  });

  test("may name the course by its TemplateID, in any case, with numbers as texts", async () => {
    const { TemplateID, ClubID, Tees } = course();
    const Course = { CourseID: TemplateID.toLowerCase(), ClubID, TeeID: Tees[0]?.ID.toLowerCase() };
    await post(union, [card("template", { Course, CourseHandicap: "18" })]);
    await union.process();
    expect(record(member())).toHaveLength(1);
  });

  test("by a TemplateID is of the version in force when the round began", async () => {
    const version = course();
    const [tee] = version.Tees;
    if (tee === undefined) throw new Error("no tee");
    // In force from 1 June, local midnight.
    union.publish({
      ...version,
      ID: crypto.randomUUID().toUpperCase(),
      Version: 9,
      ActivationDate: "20260531T220000",
      Tees: [{ ...tee, SlopeRating: 155 }],
    });
    const Course = { CourseID: version.TemplateID, ClubID: version.ClubID, TeeID: tee.ID };
    await post(union, [card("may", { Course, day: "20260531" }), card("june", { Course, day: "20260601" })]);
    await union.process();
    expect(record(member()).map(({ round }) => round.slope)).toEqual([tee.SlopeRating, 155]);
  });

  test("of a course abroad is rated as the card says", async () => {
    const Holes = Array.from({ length: 18 }, (_, hole) => ({ Par: 4, Index: hole + 1 }));
    const Course = {
      Name: "Elsewhere",
      Country: "SE",
      TeeName: "58",
      TeeRating: "715000",
      TeeSlope: 128,
      Holes,
    };
    await post(union, [card("abroad", { Course, strokes: Array(18).fill(5) })]);
    await union.process();
    expect(record(member())[0]?.round).toMatchObject({
      courseRating: 715_000,
      slope: 128,
      adjustedGross: 90,
    });
  });

  test("may name the player by LifeTimeID alone", async () => {
    await post(union, [card("by-life-time", { Player: { LifeTimeID: member().LifeTimeID } })]);
    await union.process();
    expect(record(member())).toHaveLength(1);
  });
});

describe("cards are processed in order of play", () => {
  test("within what is picked up, whatever the order they came in", async () => {
    await post(union, [card("third", { day: "20260612" }), card("first", { day: "20260601" })]);
    await post(union, [card("second", { day: "20260605" })]);
    await union.process();
    expect(record(member()).map(({ round }) => round.startTime.slice(0, 8))).toEqual([
      "20260601",
      "20260605",
      "20260612",
    ]);
  });

  test("also where an earlier round comes after a later one was processed: the same handicap in the end", async () => {
    const [one, other] = [member(3, 0), member(3, 1)];
    const days = ["20260601", "20260603", "20260605", "20260607"];
    const round = (player: UnionMember, n: number) =>
      card(`${player.ID}-${n}`, { player, day: days[n] ?? "", over: n % 3 });
    for (const n of [2, 0, 3, 1]) {
      await post(union, [round(one, n)]);
      await union.process();
    }
    const late = record(one).map(({ after }) => after);
    await union.stop();
    union = await startWithMembers();
    await post(
      union,
      [0, 1, 2, 3].map((n) => round(one, n)),
    );
    await union.process();
    expect(record(one).map(({ after }) => after)).toEqual(late);
    expect(record(other)).toEqual([]);
  });
});

describe("a card that comes again", () => {
  test("counts once", async () => {
    await post(union, [card("twice")]);
    await union.process();
    await post(union, [card("twice"), card("twice")]);
    await union.process();
    expect(record(member())).toHaveLength(1);
  });

  test("with other strokes takes the place of the first", async () => {
    await post(union, [card("corrected", { over: 2 })]);
    await union.process();
    const [before] = record(member());
    await post(union, [card("corrected", { over: 1 })]);
    await union.process();
    const after = record(member());
    expect(after).toHaveLength(1);
    expect(after[0]?.differential).toBeLessThan(before?.differential ?? 0);
  });

  test("from another vendor is another card", async () => {
    const other = { username: "other", password: "x", apiSet: "other" };
    const accounts = [other, { ...other, username: "acme", apiSet: "acme" }];
    const both = await startWithMembers({ accounts });
    for (const account of accounts) await post(both, [card("same-name")], { account });
    await both.process();
    expect(both.playerRecord(unionId(member()))).toHaveLength(2);
    await both.stop();
  });
});

describe("a card from which no handicap can be calculated vanishes silently", () => {
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    [
      "with a wrong TeeID",
      () => card("x", { Course: { ...card("x").Course, TeeID: crypto.randomUUID() } }),
      "tee_unknown",
    ],
    [
      "with another course's tee",
      () => card("x", { Course: { ...card("x").Course, TeeID: union.courses.at(-1)?.Tees[0]?.ID } }),
      "tee_unknown",
    ],
    [
      "with a wrong CourseID",
      () => card("x", { Course: { ...card("x").Course, CourseID: crypto.randomUUID() } }),
      "course_unknown",
    ],
    [
      "of a course that is not approved for handicaps",
      () => {
        const version = { ...course(), ID: crypto.randomUUID(), IsHcpQualifying: false };
        union.publish(version);
        return card("x", { version });
      },
      "course_unknown",
    ],
    ["of nobody who is a member", () => card("x", { Player: { UnionID: "9999-1" } }), "player_unknown"],
    ["with a stroke short", () => card("x", { strokes: Array(17).fill(5) }), "strokes"],
    [
      "of fewer than ten of eighteen holes",
      () => card("x", { strokes: [...Array(9).fill(5), ...Array(9).fill(-1)] }),
      "too_short",
    ],
    [
      "that is not qualifying",
      () => card("x", { Result: { ...card("x").Result, IsQualifying: false } }),
      "not_qualifying",
    ],
    ["without a CourseHandicap", () => card("x", { CourseHandicap: null }), "unreadable"],
    ["with a time that is none", () => card("x", { Round: { StartTime: "20261399T250000" } }), "unreadable"],
    ["that is no card", () => "card", "unreadable"],
    ["that is null", () => null, "unreadable"],
  ];

  test.each(cases)("%s", async (_name, make, reason) => {
    const wrong = make();
    const answer = await post(union, [wrong]);
    expect([answer.status, answer.body]).toEqual([200, [wrong]]);
    expect(await union.process()).toEqual({ processed: 1, vanished: { [reason]: 1 } });
    expect(await lookUp(member())).toEqual(member());
  });

  test("and does not keep the others from counting", async () => {
    await post(union, [null, card("good"), {}]);
    expect(await union.process()).toEqual({ processed: 3, vanished: { unreadable: 2 } });
    expect(record(member())).toHaveLength(1);
  });
});

describe("a player", () => {
  test("whose handicap is frozen keeps it", async () => {
    const frozen = member(4);
    await post(
      union,
      Array.from({ length: 10 }, (_, n) => card(`f-${n}`, { player: frozen, over: 0 })),
    );
    await union.process();
    expect(record(frozen)).toHaveLength(10);
    expect((await lookUp(frozen)).Handicap).toBe(frozen.Handicap);
  });

  test("without a handicap is given one by the first round, the score less 2.0, and the status Normal", async () => {
    const beginner = member(9);
    await post(union, [card("b", { player: beginner, over: 2 })]);
    await union.process();
    const { Handicap, HandicapStatus } = await lookUp(beginner);
    const [round] = record(beginner);
    expect(Handicap).toBe(String(((round?.differential ?? Number.NaN) - 20) * 1_000));
    expect(HandicapStatus).toBe(3);
  });

  test("of a union whose rule wants three scores is given a handicap by the third round", async () => {
    await union.stop();
    union = await startWithMembers({ profile: unionProfiles.norway });
    const beginner = member(9);
    const rounds = [1, 2, 3].map((n) => card(`b-${n}`, { player: beginner, over: 2, day: `2026060${n}` }));
    await post(union, rounds.slice(0, 2));
    await union.process();
    expect(await lookUp(beginner)).toEqual(beginner);
    await post(union, rounds.slice(2));
    await union.process();
    const { Handicap, HandicapStatus } = await lookUp(beginner);
    expect(HandicapStatus).toBe(3);
    expect(Number(Handicap)).toBeLessThan(540_000);
  });
});

test("a union that goes on from another works out the same handicaps again", async () => {
  await post(union, [card("before", { over: 0 })]);
  await union.process();
  const { data, record: received } = union;
  const { members } = union;
  await union.stop();
  union = await startUnion({ continues: { data, record: received } });
  await union.process();
  expect(union.members).toEqual(members);
});
