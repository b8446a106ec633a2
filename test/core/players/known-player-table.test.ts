import { PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { storedCard } from "../../../core/cards/delivery/scorecard-table.ts";
import { keyedDigest } from "../../../core/formats/keyed-digest.ts";
import { playerRecall } from "../../../core/players/known-player-table.ts";
import { day } from "../../durations.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { green, start } from "../memory/stored-card.ts";

const engine = await provideEngine(tables.scorecards);

/** What is remembered under a secret. */
const recallWith = (secret: string, now = start) =>
  playerRecall(
    "scorecards",
    engine.client,
    async () => secret,
    () => new Date(now),
  );
/** Those of the players who are known. */
async function knownOf(secret: string, unionIds: readonly string[], now = start): Promise<string[]> {
  const { knownPlayer } = await recallWith(secret, now)(unionIds);
  return unionIds.filter((unionId) => knownPlayer(unionId) !== undefined);
}
const round = { start: 0, holes: 18, apiSet: green, externalId: "417", membership: "hash" };
const items = async () =>
  (await engine.client.send(new ScanCommand({ TableName: "scorecards" }))).Items ?? [];

test("a player is remembered for 30 days, and again after that", async () => {
  const players = ["1016-1", "1016-2"];
  const knownAt = (now: number) => knownOf("of days", players, now);
  expect(await knownAt(start)).toEqual([]);
  await (await recallWith("of days")(players)).remember(new Map([["1016-1", {}]]));
  expect(await knownAt(start + 30 * day - 1000)).toEqual(["1016-1"]);
  expect(await knownAt(start + 30 * day)).toEqual([]);
  // DynamoDB may not have removed the expired item yet.
  await (await recallWith("of days", start + 30 * day)(["1016-1"])).remember(new Map([["1016-1", {}]]));
  expect(await knownAt(start + 59 * day)).toEqual(["1016-1"]);
});

test("what the union said of a player is remembered with its day, and an item of the form before says nothing", async () => {
  const judgement = { gender: 1, handicapStatus: 4, hasNoRight: true } as const;
  const { remember } = await recallWith("of judgements")(["1016-1"]);
  await remember(new Map([["1016-1", judgement]]));
  const later = await recallWith("of judgements", start + 20 * day)(["01016-01"]);
  const asOf = new Date(start).toISOString().slice(0, 10);
  expect(later.knownPlayer("01016-01")).toEqual({ asOf, judgement });

  const id = keyedDigest("of judgements", "knownPlayer", "1016-2");
  const expiresAt = { N: String(Math.floor(start / 1000) + 86_400) };
  await engine.client.send(
    new PutItemCommand({ TableName: "scorecards", Item: { id: { S: id }, expiresAt } }),
  );
  const before = await recallWith("of judgements")(["1016-2"]);
  expect(before.knownPlayer("1016-2")?.judgement).toEqual({});
  // Its day stays that of the union's answer, whatever is remembered besides.
  await before.rememberRounds(new Map([[id, [round]]]));
  const after = await recallWith("of judgements")(["1016-2"]);
  expect(after.knownPlayer("1016-2")).toEqual(before.knownPlayer("1016-2"));
  expect(await knownOf("of judgements", ["1016-2"], start + 2 * day)).toEqual([]);
});

test("hundreds of players are remembered at once", async () => {
  const players = Array.from({ length: 230 }, (_, number) => `1001-${number}`);
  await (await recallWith("of many")(players)).remember(new Map(players.map((player) => [player, {}])));
  expect(await knownOf("of many", players)).toHaveLength(230);
});

test("the table has a keyed hash and an expiry of a player, and never the number", async () => {
  const players = await recallWith("secret")(["1016-4711"]);
  await players.identify(new Map([["1016-4711", { LifeTimeID: "150390-026" }]]));
  await players.remember(new Map([["1016-4711", {}]]));
  const found = await items();
  expect(JSON.stringify(found)).not.toMatch(/4711|150390/);
  for (const item of found) {
    expect(["askedAt", "expiresAt", "id", "judgement", "person", "rounds", "writeId"]).toEqual(
      expect.arrayContaining(Object.keys(item)),
    );
    expect(item.id?.S).toMatch(/^player:[\w-]{43}$/);
    expect(storedCard(item)).toBeUndefined();
  }
});

test("with another secret nobody is remembered", async () => {
  await (await recallWith("one")(["1016-5"])).remember(new Map([["1016-5", {}]]));
  expect(await knownOf("another", ["1016-5"])).toEqual([]);
});

test("two runs that remember a player at once do no harm", async () => {
  const [one, other] = await Promise.all([recallWith("race")(["1016-6"]), recallWith("race")(["1016-6"])]);
  await Promise.all([one.remember(new Map([["1016-6", {}]])), other.remember(new Map([["1016-6", {}]]))]);
  expect(await knownOf("race", ["1016-6"])).toEqual(["1016-6"]);
});

test("a player whose rounds are remembered is not known by it, and both are kept by runs at once", async () => {
  const player = "1016-7";
  const [one, other] = await Promise.all([recallWith("rounds")([player]), recallWith("rounds")([player])]);
  const second = { ...round, externalId: "418", number: 2, id: "short" };
  const { person } = one.findPerson("01016-07");
  expect([...(await one.rememberRounds(new Map([[person, [round]]])))]).toEqual([]);
  expect(await knownOf("rounds", [player])).toEqual([]);
  expect([...(await other.rememberRounds(new Map([[person, [second]]])))]).toEqual([person]);
  await other.rememberRounds(new Map([[person, [...other.roundsOf(person), second]]]));
  await other.remember(new Map([[player, { gender: 2 }]]));
  const { knownPlayer, roundsOf } = await recallWith("rounds")([player]);
  expect(knownPlayer(player)?.judgement).toEqual({ gender: 2 });
  expect(roundsOf(person)).toEqual([round, second]);
});
