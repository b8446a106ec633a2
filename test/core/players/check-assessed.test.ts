import { expect, test } from "vitest";
import type { AccountClub } from "../../../core/accounts/account.ts";
import type { GuidKey } from "../../../core/formats/identifiers.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { AskForPlayer } from "../../../core/players/ask-for-players.ts";
import { warnOfUnknownPlayers } from "../../../core/players/check-assessed.ts";
import { context, fullCard } from "../golf/sample-cards.ts";

const card = (ExternalID: string, UnionID: string) => fullCard({ ExternalID, Player: { UnionID } });
const assess = (...cards: readonly unknown[]) => assessSubmission(cards, context());
const aMinute = (): number => 60_000;

/** A union that knows 1016-1 alone, and counts what it is asked. */
function union(answers: Readonly<Record<string, "found" | "refused" | "late">> = { "1016-1": "found" }) {
  const asked: string[] = [];
  const ask: AskForPlayer = async (unionId) => {
    asked.push(unionId);
    return { outcome: answers[unionId] ?? "nobody" };
  };
  return { asked, ask };
}

/** A union that calculates a first handicap after three scores. */
const noCourses = { courses: () => undefined, scoresForHandicap: 3 };

test("the cards of a player whom the union does not know get the warning, and each player is asked for once", async () => {
  const { ask, asked } = union();
  const assessed = assess(card("1", "1016-1"), card("2", "1016-2"), card("3", "1016-2"));
  const { assessments, players } = await warnOfUnknownPlayers(assessed, ask, aMinute, noCourses);
  const warned = assessments.map(({ warnings }) =>
    warnings.flatMap(({ code, index }) => (code === "player_unknown" ? [index] : [])),
  );
  expect(warned).toEqual([[], [1], [2]]);
  expect(players).toEqual({ known: 1, unknown: 1, unanswered: 0 });
  expect(asked.sort()).toEqual(["1016-1", "1016-100", "1016-2"]);
});

test("a marker whom the union does not know is a warning, unless the marker is only named", async () => {
  const { ask, asked } = union();
  const named = fullCard({ ExternalID: "named", Marker: { FullName: "Marker One" } });
  const { assessments } = await warnOfUnknownPlayers(assess(fullCard(), named), ask, aMinute, noCourses);
  const found = assessments.map(({ warnings }) => warnings.map(({ code, pointer }) => `${code} ${pointer}`));
  expect(found[0]).toEqual(["marker_unknown /Marker/UnionID"]);
  expect(found[1]).not.toContain("marker_unknown /Marker/UnionID");
  expect(asked.sort()).toEqual(["1016-1", "1016-100"]);
});

/** What a card of 1016-1 is warned of if the union says this of the player. */
async function warnedOf(
  member: object,
  changes: object = {},
  scoresForHandicap = 3,
): Promise<(string | undefined)[]> {
  const ask: AskForPlayer = async (unionId) => ({
    outcome: "found",
    ...(unionId === "1016-1" && { member: JSON.stringify(member) }),
  });
  const { courses } = context();
  const { assessments } = await warnOfUnknownPlayers(
    assess(fullCard({ ExternalID: "417", ...changes })),
    ask,
    aMinute,
    { courses, scoresForHandicap },
  );
  expect(JSON.stringify(assessments[0]?.warnings)).not.toMatch(/1016-1\b|Secret/);
  return assessments[0]?.warnings.map(({ code }) => code) ?? [];
}

const good = {
  FirstName: "Secret",
  Gender: "Male",
  Handicap: "90000",
  HandicapDato: "20250601T000000",
  HandicapStatus: 3,
  RightToPlay: true,
  Memberships: [{ UnionID: "1016-1", Type: 1 }],
};

test.each<[string, object, string[]]>([
  ["as on the card", {}, []],
  ["a woman, on a tee of men", { Gender: "Female" }, ["tee_gender_differs"]],
  ["of no known gender", { Gender: "Other" }, []],
  ["frozen", { HandicapStatus: 4 }, ["handicap_status"]],
  ["frozen up", { HandicapStatus: 5 }, ["handicap_status"]],
  ["frozen down", { HandicapStatus: 6 }, ["handicap_status"]],
  ["suspended", { HandicapStatus: 8 }, ["handicap_status"]],
  ["without a handicap yet", { HandicapStatus: 9, Handicap: "540000" }, ["handicap_status"]],
  ["of the old active status", { HandicapStatus: 1 }, []],
  ["without a right to play", { RightToPlay: false }, ["no_right_to_play"]],
  ["a former member", { Memberships: [{ UnionID: "1016-01", Type: 7 }] }, ["membership_ended"]],
  [
    "a former member of another club",
    {
      Memberships: [
        { UnionID: "1017-1", Type: 7 },
        { UnionID: "1016-1", Type: 2 },
      ],
    },
    [],
  ],
  [
    "a former member who is one again",
    {
      Memberships: [
        { UnionID: "1016-1", Type: 7 },
        { UnionID: "1016-01", Type: 1 },
      ],
    },
    [],
  ],
  [
    "all of it in other spellings",
    {
      Gender: "female",
      HandicapStatus: "4",
      RightToPlay: "False",
      Memberships: [{ UnionID: "1016-1", Type: "7" }],
    },
    ["tee_gender_differs", "handicap_status", "no_right_to_play", "membership_ended"],
  ],
  ["without a handicap yet, as a text", { HandicapStatus: "9", Handicap: "540000" }, ["handicap_status"]],
  ["of another handicap since before the round", { Handicap: "91000" }, ["handicap_differs"]],
  ["of the same handicap as a number", { Handicap: 90_000 }, []],
  ["of another handicap since after the round", { Handicap: "91000", HandicapDato: "20250622T210000" }, []],
  ["of a handicap of unknown date", { Handicap: "91000", HandicapDato: null }, []],
  [
    "all of it",
    { Gender: "Female", HandicapStatus: 8, RightToPlay: false, Handicap: "1000" },
    ["tee_gender_differs", "handicap_status", "no_right_to_play", "handicap_differs"],
  ],
  [
    "not as documented",
    { Gender: 7, Handicap: null, HandicapStatus: "x", RightToPlay: "no", Memberships: 3 },
    [],
  ],
  ["with memberships not as documented", { Memberships: [null, { UnionID: 5 }, {}] }, []],
])("a player who is, by the union, %s", async (_, changes, expected) => {
  expect(await warnedOf({ ...good, ...changes })).toEqual(expected);
});

test.each([
  [1, []],
  [2, ["handicap_status"]],
  [3, ["handicap_status"]],
])(
  "a player without a handicap yet is warned about unless one score gives a handicap, here if it takes %i",
  async (scoresForHandicap, expected) => {
    const player = { ...good, HandicapStatus: 9, Handicap: "540000" };
    expect(await warnedOf(player, {}, scoresForHandicap)).toEqual(expected);
  },
);

test("a difference of handicaps is told with both figures", async () => {
  const ask: AskForPlayer = async () => ({
    outcome: "found",
    member: JSON.stringify({ ...good, Handicap: "91000" }),
  });
  const { assessments } = await warnOfUnknownPlayers(assess(fullCard()), ask, aMinute, noCourses);
  expect(assessments[0]?.warnings).toMatchObject([
    { code: "handicap_differs", pointer: "/HCP", expected: "91000", received: "90000" },
  ]);
});

test("the gender of a tee that the register does not have is compared with nobody's", async () => {
  const course = { ...fullCard().Course, CourseID: undefined, TeeID: undefined, Country: "SE" };
  expect(await warnedOf({ ...good, Gender: "Female" }, { Course: course })).not.toContain(
    "tee_gender_differs",
  );
});

test("the player of a card with a fault is not asked for", async () => {
  const { ask, asked } = union();
  const assessed = assess({ ...card("1", "1016-2"), HCP: "12.4" });
  const { assessments, players } = await warnOfUnknownPlayers(assessed, ask, aMinute, noCourses);
  expect([assessments, asked]).toEqual([assessed, []]);
  expect(players).toEqual({ known: 0, unknown: 0, unanswered: 0 });
});

test("an account that sees the members of one club has each of them asked for, wherever they stand, and each other club once", async () => {
  const asked: string[] = [];
  const ask: AskForPlayer = async (unionId) => {
    asked.push(unionId);
    return unionId.startsWith("1016-") ? { outcome: "nobody" } : { outcome: "refused", status: 403 };
  };
  const guests = Array.from({ length: 40 }, (_, place) =>
    card(`guest ${place}`, `${(place % 30) + 1}-${place + 1}`),
  );
  const own = ["1016-7", "1016-8", "1016-9"].map((number) => card(`own ${number}`, number));
  const check = (club?: AccountClub) =>
    warnOfUnknownPlayers(assess(...guests, ...own), ask, aMinute, { ...noCourses, club });
  const isForeign = (number: string) => !number.startsWith("1016-");
  const { assessments, players } = await check();
  expect(players).toEqual({ known: 0, unknown: 3, unanswered: 40 });
  const warned = assessments.filter(({ warnings }) => warnings.some(({ code }) => code === "player_unknown"));
  expect(warned.map(({ externalId }) => externalId)).toEqual(["own 1016-7", "own 1016-8", "own 1016-9"]);
  // Four are asked for at the same time, so a club may be asked about before it has refused.
  expect(asked.filter(isForeign).length).toBeLessThanOrEqual(30 + 3);
  asked.length = 0;
  // One that is bound to its club asks the union about nobody else.
  const bound = await check({ id: "club" as GuidKey, number: 1016 });
  expect([bound.players, asked.filter(isForeign)]).toEqual([players, []]);
});

test.each([
  ["refuses the account", union({ "1016-1": "refused" }).ask, aMinute],
  ["does not answer", union({ "1016-1": "late" }).ask, aMinute],
  ["cannot be asked", undefined, aMinute],
  ["has no time left to answer", union().ask, (): number => 1000],
] as const)("nobody is warned if the union %s, and the player counts as unanswered", async (_, ask, left) => {
  const assessed = assess(card("1", "1016-1"));
  expect(await warnOfUnknownPlayers(assessed, ask, left, noCourses)).toMatchObject({
    assessments: assessed,
    players: { known: 0, unknown: 0, unanswered: 1 },
  });
});
