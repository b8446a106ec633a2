import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import {
  storedCard as cardIn,
  scorecardReader,
  scorecardWriter,
} from "../../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { roundComparison } from "../../../core/players/compare-rounds.ts";
import { playerRecall, roundRecall } from "../../../core/players/known-player-table.ts";
import { warnOfSeenRounds } from "../../../core/players/seen-rounds.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { minimalCard, nineHoleCard, strokesOfRound } from "../golf/sample-cards.ts";
import { red, start, storedCard } from "../memory/stored-card.ts";

let tests = 0;
const engine = await provideEngine(tables.scorecards);

interface Round {
  readonly player?: string;
  readonly at?: string;
  readonly day?: string;
  readonly nine?: boolean;
  readonly apiSet?: ApiSet;
  /** Which strokes; without it rounds of other starts have other strokes. */
  readonly first?: number;
  readonly number?: number;
  readonly ID?: string;
}

/** A vendor's world of its own: delivers cards one after the other, and says what is found of each. */
function world() {
  const secret = `secret ${tests++}`;
  const cards = {
    ...scorecardReader("scorecards", engine.client),
    ...scorecardWriter("scorecards", engine.client),
  };
  const hashKey = async () => secret;
  const recall = playerRecall("scorecards", engine.client, hashKey, () => new Date(start));
  let reads = 0;
  const members = new Map<string, object>();
  const compare = roundComparison({
    read(keys) {
      reads += keys.length === 0 ? 0 : 1;
      return cards.read(keys);
    },
  });
  const card = (externalId: string, round: Round = {}) => {
    const { player = "1016-1", at = "1000", day = "20250622", nine = false, apiSet, number, ID } = round;
    const { first = 3 + (Number(at) % 97) } = round;
    const sent = (nine ? nineHoleCard : minimalCard)({ ExternalID: externalId, Player: { UnionID: player } });
    const StartTime = `${day}T${at}00`;
    const Round = { ...sent.Round, StartTime, TournamentName: "Cup", TournamentRoundNumber: number };
    const Result = { ...sent.Result, Strokes: strokesOfRound(sent.Result.Strokes, first) };
    const content = contentOf({ ...sent, Round, Result, ID });
    return storedCard(`${secret} ${externalId}`, { state: "delivered", content, ...(apiSet && { apiSet }) });
  };
  async function store({ apiSet, externalId, earlier, ...set }: StoredCard): Promise<void> {
    const [result] = await cards.write([{ apiSet, externalId, set: { ...set, earlier } }]);
    if (result !== "written") {
      const [found] = await cards.read([{ apiSet, externalId }]);
      const expects = { version: found?.version ?? 0, states: [found?.state ?? "queued"] as const };
      await cards.write([{ apiSet, externalId, expects, set: { ...set, earlier } }]);
    }
  }
  async function deliver(...some: StoredCard[]) {
    for (const one of some) await store(one);
    const delivered = some.map((one) => ({ card: one, sent: JSON.parse(one.content.text()) }));
    const players = await recall(delivered.map(({ sent }) => sent.Player.UnionID));
    await players.identify(members);
    await players.remember(new Map([...members.keys()].map((unionId) => [unionId, {}])));
    const found = await compare(delivered, players);
    return some.map((one) => found.get(one)?.map(({ code, ...rest }) => ({ code, ...rest })) ?? []);
  }
  const name = (externalId: string) => `${secret} ${externalId}`;
  /** What Validate warns of before a card is sent. */
  async function preview({ apiSet, externalId, content }: StoredCard, waiting: StoredCard[] = []) {
    const assessed = { good: true, index: 0, externalId, card: JSON.parse(content.text()), warnings: [] };
    const [found] = await warnOfSeenRounds([assessed as never], members, apiSet, {
      recall: roundRecall("scorecards", engine.client, hashKey, () => new Date(start)),
      compareRounds: compare,
      cards,
      tournaments: {
        tournament: async (_, id, [day = ""]) => [{ id, day, counts: { "0 waiting": waiting.length } }],
        cards: async (_, __, [day = ""]) => ({
          entries: waiting.map((one) => ({ day, externalId: one.externalId })),
        }),
      },
    });
    return found?.warnings.map(({ code, detail }) => `${code}: ${detail}`) ?? [];
  }
  return { card, deliver, preview, store, name, members, reads: () => reads };
}

const guid = "0f8fad5b-d9cb-469f-a165-70867728950e";
const byStrokes = { likeness: { by: "strokes" } };

test("a round under another ExternalID is seen, and the vendor's own card is named", async () => {
  const { card, deliver, preview, name } = world();
  expect(await preview(card("a"))).toEqual([]);
  expect(await deliver(card("a"))).toEqual([[]]);
  expect(await preview(card("a"))).toEqual([]);
  expect(await preview(card("b"))).toEqual([
    expect.stringMatching(`^round_seen: Your card ${name("a")} is of the same player`),
  ]);
  expect(await deliver(card("b"))).toEqual([[{ code: "round_seen", other: name("a"), ...byStrokes }]]);
  expect(await deliver(card("c", { player: "1016-01", nine: true }))).toEqual([
    [{ code: "round_seen", other: name("a"), likeness: { by: "nine" } }],
  ]);
});

test("a round that waits for its delivery is seen before another card of its tournament is sent", async () => {
  const { card, preview, store, name } = world();
  const waiting = [
    card("a"),
    card("of another", { player: "1016-2", at: "1400" }),
    card("c", { at: "0700" }),
  ];
  const [first = card("a")] = waiting;
  await store({ ...first, state: "queued" });
  const seen = [expect.stringMatching(`^round_seen: Your card ${name("a")} is of the same player`)];
  expect(await preview(card("b"), waiting)).toEqual(seen);
  expect(await preview(card("a"), waiting)).toEqual([]);
  expect(await preview(card("b", { player: "1016-2" }), waiting)).toEqual([]);
  await store({ ...first, version: 2, state: "withdrawn" });
  expect(await preview(card("b"), waiting)).toEqual([]);
});

test("a round of another vendor is seen, and its card is not named", async () => {
  const { card, deliver } = world();
  await deliver(card("a"));
  expect(await deliver(card("b", { apiSet: red }))).toEqual([[{ code: "round_seen", ...byStrokes }]]);
});

test("a round of a player of two clubs is seen under the other UnionID, also in the month after the union has said so", async () => {
  const { card, deliver, preview, members, name } = world();
  const [early, other] = [{ at: "0600" }, { player: "1017-5" }];
  await deliver(card("before the union answers", early));
  const member = { LifeTimeID: "010190-001", Memberships: [{}, {}] };
  members.set("1017-5", member).set("1016-1", member).set("1018-1", { LifeTimeID: "020290-002" });
  const seen = (of: string) => [{ code: "round_seen", other: name(of), ...byStrokes }];
  expect(await deliver(card("a"))).toEqual([[]]);
  expect(await preview(card("b", other))).toEqual([expect.stringMatching(/^round_seen/)]);
  expect(await deliver(card("b", other), card("c", { player: "1018-1" }))).toEqual([seen("a"), []]);
  members.clear();
  const again = [card("d"), card("e", other), card("f", early)];
  expect(await deliver(...again)).toEqual([seen("a"), seen("a"), seen("before the union answers")]);
});

test.each<[string, Round, Round, object | undefined]>([
  ["an hour later", {}, { at: "1100" }, { by: "strokes", hours: 1 }],
  ["two hours earlier", { at: "1430" }, { at: "1230" }, { by: "strokes", hours: -2 }],
  [
    "on the next day, by an hour",
    { at: "2330" },
    { day: "20250623", at: "0030" },
    { by: "strokes", hours: 1 },
  ],
  ["on the day before", { day: "20250623", at: "0110" }, { at: "2310" }, { by: "strokes", hours: -2 }],
  ["on the day before, at noon", { at: "1200", day: "20250623" }, { at: "1200" }, { by: "strokes" }],
  ["six hours later", {}, { at: "1600" }, { by: "strokes" }],
  ["without a tee time", {}, { at: "0000" }, { by: "strokes" }],
  ["at the same time with other strokes", {}, { first: 9 }, { by: "start" }],
  ["without tee times, with other strokes", { at: "0000" }, { at: "0000", first: 9 }, undefined],
  ["without a tee time, with other strokes", { at: "0010" }, { at: "0000", first: 9 }, undefined],
  ["with an equal number, at one start", { number: 1 }, { number: 1, first: 9 }, { by: "start" }],
  ["with another number, at one start", { number: 1 }, { number: 2, first: 9 }, undefined],
  ["as the nine of eighteen", { at: "0800" }, { at: "1300", nine: true }, { by: "nine" }],
  ["as the nine of eighteen on another day", {}, { day: "20250623", nine: true }, undefined],
  ["two days later", {}, { day: "20250624" }, undefined],
  ["two days later, with one ID", { ID: guid }, { ID: guid.toUpperCase(), day: "20250624" }, { by: "id" }],
])("a round with the same strokes %s", async (_, one, other, likeness) => {
  const { card, deliver } = world();
  await deliver(card("a", { first: 5, ...one }));
  const [found = []] = await deliver(card("b", { first: 5, apiSet: red, ...other }));
  expect(found).toEqual(likeness === undefined ? [] : [{ code: "round_seen", likeness }]);
});

test("rounds that are delivered together are compared with each other", async () => {
  const { card, deliver, name } = world();
  const found = await deliver(card("a"), card("b"), card("c", { at: "1100" }), card("d", { at: "1400" }));
  expect(found).toEqual([
    [],
    [{ code: "round_seen", other: name("a"), ...byStrokes }],
    [{ code: "rounds_overlap", other: name("a") }],
    [],
  ]);
});

test("a club's day that is sent again under other ExternalIDs is read once to be told", async () => {
  const { card, deliver, reads, name } = world();
  const day = (id: string) =>
    Array.from({ length: 40 }, (_, n) => card(`${id}-${n}`, { player: `1016-${n}` }));
  await deliver(...day("first"));
  expect(reads()).toBe(0);
  const found = await deliver(...day("second"));
  expect(found).toEqual(
    day("first").map((_, n) => [{ code: "round_seen", other: name(`first-${n}`), ...byStrokes }]),
  );
  expect(reads()).toBe(1);
});

test("more rounds than a day has room for are told", async () => {
  const { card, deliver } = world();
  const times = ["0400", "0600", "0800", "1000", "1200", "1400", "1600"];
  const found = await deliver(...times.map((at) => card(at, { at })));
  expect(found.flat()).toEqual([{ code: "rounds_many" }]);
});

test("a card that is delivered again, or corrected, is no other round", async () => {
  const { card, deliver } = world();
  await deliver(card("a"));
  expect(await deliver(card("a"))).toEqual([[]]);
  expect(await deliver({ ...card("a", { at: "1010" }), version: 2 })).toEqual([[]]);
  expect(await deliver(card("b", { at: "1600" }))).toEqual([[]]);
});

test.each<[string, Round, Partial<StoredCard>]>([
  ["whose player was corrected", { player: "1016-2" }, {}],
  ["whose day was corrected", { at: "1500" }, {}],
  ["that was withdrawn", {}, { state: "withdrawn" }],
])("a card %s leaves no round behind", async (_, change, state) => {
  const { card, deliver, store } = world();
  await deliver(card("a"));
  await store({ ...card("a", change), version: 2, ...state });
  expect(await deliver(card("b"))).toEqual([[]]);
});

test("other players, and other rounds of the player, are not the same", async () => {
  const { card, deliver } = world();
  await deliver(card("a"));
  const found = await deliver(
    card("twin", { player: "1016-2" }),
    card("other club", { player: "1017-1" }),
    card("afternoon", { at: "1400" }),
  );
  expect(found).toEqual([[], [], []]);
});

test("many players of a shotgun start are remembered at once, each in an item without a word of the person", async () => {
  const { card, deliver } = world();
  const all = Array.from({ length: 120 }, (_, n) => card(`shotgun-${n}`, { player: `1001-${n}` }));
  expect((await deliver(...all)).flat()).toEqual([]);
  const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: "scorecards" }));
  const remembered = Items.filter(({ id }) => id?.S?.startsWith("player:"));
  expect(remembered.length).toBeGreaterThanOrEqual(120);
  for (const item of remembered) {
    expect(JSON.stringify(item)).not.toMatch(/1001-\d|Marker/);
    // A second more for each change. The item of a membership is kept until that of its person has expired.
    const days = item.person === undefined ? 30 : 62;
    const after = Number(item.expiresAt?.N) - start / 1000 - days * 86_400;
    expect([after, after >= 0 && after < 10]).toEqual([after, true]);
    expect(cardIn(item)).toBeUndefined();
  }
});

test("two runs that remember rounds of a player at the same time lose neither", async () => {
  const { card, deliver } = world();
  await Promise.all([
    deliver(card("a")),
    deliver(card("b", { at: "1400" })),
    deliver(card("c", { at: "1800" })),
  ]);
  const found = await Promise.all(["1000", "1400", "1800"].map((at) => deliver(card(`again ${at}`, { at }))));
  expect(found.flat(2).map(({ code }) => code)).toEqual(["round_seen", "round_seen", "round_seen"]);
});
