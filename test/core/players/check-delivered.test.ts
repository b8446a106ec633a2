import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { nextVersion } from "../../../core/cards/delivery/plan.ts";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { erasure } from "../../../core/cards/person-data.ts";
import { cardStatus } from "../../../core/cards/status.ts";
import type { PlayerJudgement } from "../../../core/golf/member-warnings.ts";
import type { AskForPlayer } from "../../../core/players/ask-for-players.ts";
import {
  createPlayerCheck,
  type PlayerCheckCounts,
  type PlayerCheckDependencies,
} from "../../../core/players/check-delivered.ts";
import { hour, minute, second } from "../../durations.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { red, start, storedCard } from "../memory/stored-card.ts";

type Outcome = Awaited<ReturnType<AskForPlayer>>["outcome"];

const timing = postTiming(10);

/** A delivered card of the player with this UnionID. */
const cardOf = (externalId: string, unionId: string, given: Partial<StoredCard> = {}) =>
  storedCard(externalId, {
    state: "delivered",
    attempts: 1,
    content: contentOf({ ExternalID: externalId, Player: { FullName: "Karen Player", UnionID: unionId } }),
    ...given,
  });

const cardsOf = (count: number) => Array.from({ length: count }, (_, n) => cardOf(`card-${n}`, `1016-${n}`));

/**
 * A player check with a table and a memory of players of its own.
 *
 * @param union what it answers to a question
 * @param given other dependencies
 */
function checkedWorld(
  union: (unionId: string, timeout: number) => Outcome | Promise<Outcome> = () => "found",
  given: Partial<PlayerCheckDependencies> = {},
) {
  const cards = scorecardsInMemory();
  const clock = { now: start };
  const asked: string[] = [];
  const remembered = new Map<string, PlayerJudgement>();
  const checkPlayers = createPlayerCheck({
    table: cards.table,
    scoresForHandicap: 3,
    recall: async () => ({
      knownPlayer(unionId) {
        const judgement = remembered.get(unionId);
        return judgement && { asOf: "2025-06-22", judgement };
      },
      findPerson: (unionId) => ({ person: unionId, membership: unionId }),
      roundsOf: () => [],
      identify: async () => {},
      rememberRounds: async () => new Set(),
      remember: async (found) => {
        for (const [unionId, judgement] of found) remembered.set(unionId, judgement);
      },
    }),
    askerOf: async (apiSet: ApiSet) => async (unionId, timeout) => {
      asked.push(`${apiSet} ${unionId}`);
      return { outcome: await union(unionId, timeout) };
    },
    now: () => new Date(clock.now),
    ...given,
  });
  return {
    cards,
    clock,
    asked,
    remembered,
    /** A run about cards, with so many milliseconds. */
    async check(some: readonly StoredCard[], milliseconds = minute): Promise<PlayerCheckCounts> {
      for (const card of some) if (cards.of(card) === undefined) cards.put(card);
      const began = clock.now;
      return checkPlayers(some, () => milliseconds - (clock.now - began));
    },
    warned: (externalId: string) => cards.of(externalId)?.playerUnknown === true,
  };
}

test("a card whose player the union knows gets no warning, and the player is remembered for the next one", async () => {
  const { check, warned, asked, remembered } = checkedWorld();
  for (const card of ["417", "418"])
    expect(await check([cardOf(card, "1016-1")])).toEqual({ unknown: 0, unchecked: 0 });
  expect(warned("417")).toBe(false);
  expect([asked, [...remembered.keys()]]).toEqual([["green 1016-1"], ["1016-1"]]);
});

test("a sandbox card gets its warning without a question to the union, and its correction gets none", async () => {
  const { check, cards, asked, remembered } = checkedWorld();
  const names = ["sandbox:player-unknown", "sandbox:not-recorded", "sandbox:slow"];
  const first = names.map((name) => cardOf(name, "1016-1"));
  expect(await check(first)).toEqual({ unknown: 0, unchecked: 0 });
  const codesOf = (name: string) =>
    cardStatus(name, cards.of(name), { version: 0 }).warnings?.map(({ code }) => code) ?? [];
  expect(names.map(codesOf)).toEqual([["player_unknown"], ["not_recorded"], []]);
  const corrected = cardOf("sandbox:player-unknown", "1016-1", { version: 2 });
  cards.put(corrected);
  await check([corrected]);
  expect(codesOf("sandbox:player-unknown")).toEqual([]);
  expect([asked, remembered.size]).toEqual([[], 0]);
});

test("a card whose player the union does not know stays delivered, and its state has the warning", async () => {
  const { check, cards, remembered } = checkedWorld(() => "nobody");
  expect(await check([cardOf("417", "1016-1")])).toEqual({ unknown: 1, unchecked: 0 });
  const read = cardStatus("417", cards.of("417"), { version: 0 });
  expect(read).toMatchObject({ state: "delivered", attempts: 1, since: new Date(start).toISOString() });
  expect(read.warnings).toMatchObject([
    { code: "player_unknown", pointer: "/Player/UnionID", externalId: "417" },
  ]);
  expect(JSON.stringify(read.warnings)).not.toContain("1016-1");
  expect(remembered.size).toBe(0);
});

test("a card that the union's answer contradicts has the warnings in its state, without a word of the member", async () => {
  const member = { Gender: "Female", Handicap: "91000", HandicapDato: "20250601T000000", HandicapStatus: 8 };
  const { check, cards } = checkedWorld(undefined, {
    teeGender: async () => 2,
    askerOf: async () => async (unionId) =>
      unionId === "1016-2" ? { outcome: "nobody" } : { outcome: "found", member: JSON.stringify(member) },
  });
  const sent = {
    ExternalID: "417",
    HCP: "90000",
    Course: {},
    Player: { UnionID: "1016-1" },
    Marker: { UnionID: "1016-2" },
    Round: { StartTime: "20250622T100000" },
  };
  expect(await check([cardOf("417", "1016-1", { content: contentOf(sent) })])).toEqual({
    unknown: 0,
    unchecked: 0,
  });
  expect(cards.of("417")?.laterWarnings).toEqual([
    { code: "tee_gender_differs" },
    { code: "handicap_status" },
    { code: "handicap_differs" },
    { code: "marker_unknown" },
  ]);
  const read = cardStatus("417", cards.of("417"), { version: 0 });
  expect(read.warnings?.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    "tee_gender_differs /Course/TeeID",
    "handicap_status /Player/UnionID",
    "handicap_differs /HCP",
    "marker_unknown /Marker/UnionID",
  ]);
  expect(JSON.stringify(read)).not.toMatch(/91000|1016-2/);
});

test("what the union said of a player is told on each card, with the day of its answer", async () => {
  const member = { Gender: "Female", HandicapStatus: "4", RightToPlay: "false", FirstName: "Karen" };
  const asked: string[] = [];
  const { check, cards, remembered } = checkedWorld(undefined, {
    teeGender: async () => 2,
    askerOf: async () => async (unionId) => {
      asked.push(unionId);
      return { outcome: "found", member: JSON.stringify(member) };
    },
  });
  const codes = ["tee_gender_differs", "handicap_status", "no_right_to_play"];
  await check([cardOf("first", "1016-1")]);
  await check([cardOf("second", "1016-1")]);
  const laterOf = (externalId: string) => cards.of(externalId)?.laterWarnings;
  expect(laterOf("first")).toEqual(codes.map((code) => ({ code })));
  expect(laterOf("second")).toEqual(codes.map((code) => ({ code, asOf: "2025-06-22" })));
  expect(asked).toEqual(["1016-1"]);
  expect([...remembered.values()]).toEqual([{ gender: 1, handicapStatus: 4, hasNoRight: true }]);
  const { warnings = [] } = cardStatus("second", cards.of("second"), { version: 0 });
  for (const { detail } of warnings) expect(detail).toMatch(/The union said so on 2025-06-22\.$/);
});

test("what is found of a card's round is recorded with what the union says, but not what the submission was told", async () => {
  const card = cardOf("417", "1016-1");
  const { check, cards } = checkedWorld(() => "nobody", {
    compareRounds: async ([one]) =>
      new Map(one ? [[one.card, [{ code: "round_seen" as const, other: "416" }]]] : []),
  });
  await check([card]);
  const stored = cards.of("417");
  expect(stored).toMatchObject({
    playerUnknown: true,
    laterWarnings: [{ code: "round_seen", other: "416" }],
  });
  const told = (some: StoredCard | undefined) => cardStatus("417", some, { version: 0 }).warnings;
  expect(told(stored)?.map(({ code }) => code)).toEqual(["player_unknown", "round_seen"]);
  expect(told(stored)?.[1]?.detail).toMatch(/^Your card 416 is of the same player/);
  const known = { index: 0, pointer: "", code: "round_seen" as const, detail: "Told before." };
  const before = stored && { ...stored, content: contentOf(JSON.parse(stored.content.text()), [known]) };
  expect(told(before)?.map(({ code }) => code)).toEqual(["round_seen", "player_unknown"]);
});

test("a card whose submission was told all that is found is not written: a write of nothing is refused, again and again", async () => {
  const card = cardOf("417", "1016-1");
  const known = { index: 0, pointer: "", code: "round_seen" as const, detail: "Told before." };
  const told = { ...card, content: contentOf(JSON.parse(card.content.text()), [known]) };
  const written: object[] = [];
  const { check } = checkedWorld(() => "found", {
    compareRounds: async ([one]) =>
      new Map(one ? [[one.card, [{ code: "round_seen" as const, other: "416" }]]] : []),
    table: {
      tryWrite: async (changes) => {
        written.push(...changes);
        return changes.map(() => "written");
      },
    },
  });
  await check([told]);
  expect(written).toEqual([]);
});

test("a second card of a known player asks nothing", async () => {
  const { check, asked, warned } = checkedWorld();
  await check([cardOf("first", "1016-1"), cardOf("of the same submission", "1016-1")]);
  await check([cardOf("second", "1016-1")]);
  expect(await check([cardOf("of another vendor", "1016-1", { apiSet: red })])).toEqual({
    unknown: 0,
    unchecked: 0,
  });
  expect([asked, warned("second")]).toEqual([["green 1016-1"], false]);
});

test("nothing that the union says is written on a card whose player is erased before it answers", async () => {
  const card = cardOf("417", "1016-1");
  const { cards, check, warned } = checkedWorld(async (): Promise<Outcome> => {
    await cards.table.write([erasure(card, { role: "player" }, () => false)]);
    return "nobody";
  });
  expect(await check([card])).toEqual({ unknown: 0, unchecked: 0 });
  expect(warned("417")).toBe(false);
});

test("each vendor's players are asked for with its own account", async () => {
  const { check, asked } = checkedWorld();
  await check([cardOf("417", "1016-1"), cardOf("418", "1016-2", { apiSet: red })]);
  expect(asked.sort()).toEqual(["green 1016-1", "red 1016-2"]);
});

test("the union is asked for a few players at a time", async () => {
  let [underWay, most] = [0, 0];
  const { check, asked } = checkedWorld(async (): Promise<Outcome> => {
    most = Math.max(most, ++underWay);
    await nextTurn();
    underWay--;
    return "found";
  });
  await check(cardsOf(20));
  expect([asked.length, most]).toEqual([20, 4]);
  // So it is with the cards of many vendors in one run.
  const ofVendors = Array.from({ length: 60 }, (_, place) =>
    cardOf(`of-${place}`, `1017-${place}`, { apiSet: `vendor-${place % 12}` as ApiSet }),
  );
  await check(ofVendors);
  expect([asked.length, most]).toEqual([80, 4]);
});

test("a slow union is asked until the run's time is nearly up, and the other cards get no warning", async () => {
  const slow = checkedWorld(async (): Promise<Outcome> => {
    slow.clock.now += second;
    return "nobody";
  });
  const counts = await slow.check(cardsOf(20), 10 * second);
  // Three seconds are kept to store the answers, and a question needs two.
  expect(slow.clock.now - start).toBeLessThanOrEqual(7 * second);
  expect(slow.asked.length).toBeGreaterThanOrEqual(5);
  expect(counts).toEqual({ unknown: slow.asked.length, unchecked: 20 - slow.asked.length });
});

test("a question may take five seconds, and no longer than what is left of the run", async () => {
  const timeouts: number[] = [];
  const { check, clock } = checkedWorld((_, timeout) => {
    timeouts.push(timeout);
    clock.now += 400;
    return "found";
  });
  await check(cardsOf(6), 8400);
  expect(timeouts).toEqual([5000, 5000, 4600, 4200, 3800, 3400]);
});

test.each(["failed", "late"] as const)(
  "a union whose lookup is %s gives no warning, and is not asked again for five minutes",
  async (outcome) => {
    const { check, asked, warned, clock } = checkedWorld(() => outcome);
    expect(await check(cardsOf(20))).toEqual({ unknown: 0, unchecked: 20 });
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(warned("card-0")).toBe(false);
    const before = asked.length;
    clock.now += 4 * minute;
    expect(await check([cardOf("417", "1016-1")])).toEqual({ unknown: 0, unchecked: 1 });
    expect(asked).toHaveLength(before);
    clock.now += 2 * minute;
    await check([cardOf("418", "1016-1")]);
    expect(asked).toHaveLength(before + 1);
  },
);

test("an account that may not look members up gets no warning, and asks nothing more for an hour; others do", async () => {
  const { check, asked, warned, clock } = checkedWorld((unionId) =>
    unionId === "1016-1" ? "refused" : "nobody",
  );
  await check([cardOf("417", "1016-1")]);
  clock.now += hour - minute;
  await check([cardOf("418", "1016-1"), cardOf("419", "1016-2", { apiSet: red })]);
  expect([asked, warned("417"), warned("418")]).toEqual([["green 1016-1", "red 1016-2"], false, false]);
  clock.now += 2 * minute;
  await check([cardOf("420", "1016-1")]);
  expect(asked).toHaveLength(3);
});

test("an account that may see the members of some clubs still asks for the others of a run", async () => {
  const { check, warned } = checkedWorld((unionId) => (unionId === "1016-1" ? "refused" : "nobody"));
  const cards = [cardOf("own club", "1001-1"), cardOf("other club", "1016-1"), cardOf("own too", "1001-2")];
  expect(await check(cards)).toEqual({ unknown: 2, unchecked: 1 });
  expect(["own club", "other club", "own too"].map(warned)).toEqual([true, false, true]);
});

test("a vendor whose credentials cannot be read leaves its own cards unchecked, and no others", async () => {
  const { check, warned } = checkedWorld(undefined, {
    askerOf: async (apiSet) => (apiSet === red ? undefined : async () => ({ outcome: "nobody" })),
  });
  const cards = [cardOf("417", "1016-1"), cardOf("418", "1016-2", { apiSet: red })];
  expect(await check(cards)).toEqual({ unknown: 1, unchecked: 1 });
  expect(warned("417")).toBe(true);
});

test("a card without a UnionID is not checked", async () => {
  const { check, asked } = checkedWorld();
  const card = storedCard("417", { state: "delivered", content: contentOf({ Player: { LifeTimeID: "1" } }) });
  expect(await check([card])).toEqual({ unknown: 0, unchecked: 1 });
  expect(asked).toEqual([]);
});

test("a check whose warning cannot be stored fails, and gives it when the cards come again", async () => {
  const { check, cards, warned } = checkedWorld(() => "nobody");
  const card = cardOf("417", "1016-1");
  cards.refuse(1);
  await expect(check([card])).rejects.toThrow(/DynamoDB/);
  expect(warned("417")).toBe(false);
  expect(await check([card])).toEqual({ unknown: 1, unchecked: 0 });
  expect(warned("417")).toBe(true);
});

test("a card whose warning alone is refused is not checked, and holds up no other", async () => {
  const { check, cards, warned } = checkedWorld(() => "nobody");
  cards.refused.writes.add("417");
  expect(await check([cardOf("417", "1016-1"), cardOf("418", "1016-2")])).toEqual({
    unknown: 1,
    unchecked: 1,
  });
  expect([warned("417"), warned("418")]).toEqual([false, true]);
});

test("a memory of players that cannot be read fails the check before anybody is asked for", async () => {
  const { check, asked } = checkedWorld(() => "nobody", {
    recall: () => Promise.reject(new Error("Secrets Manager does not answer.")),
  });
  await expect(check([cardOf("417", "1016-1")])).rejects.toThrow(/Secrets Manager/);
  expect(asked).toEqual([]);
});

test("a correction that was stored during the check does not get the warning of the card before it", async () => {
  const { check, cards } = checkedWorld(() => {
    const card = cards.of("417");
    if (card === undefined) throw new Error("The card is not stored.");
    cards.put({ ...card, ...nextVersion(card, { now: start, requestId: "request", timing }).change.set });
    return "nobody";
  });
  expect(await check([cardOf("417", "1016-1")])).toEqual({ unknown: 0, unchecked: 0 });
  expect(cards.of("417")).toMatchObject({ version: 2, state: "queued" });
  expect(cards.of("417")?.playerUnknown).toBeUndefined();
});

test("a correction has no warning until its own player is checked", async () => {
  const card = cardOf("417", "1016-1", { playerUnknown: true });
  const acceptance = { now: start + hour, requestId: "request", timing };
  expect(nextVersion(card, acceptance).change.set).toMatchObject({
    version: 2,
    playerUnknown: undefined,
    laterWarnings: undefined,
  });
});
