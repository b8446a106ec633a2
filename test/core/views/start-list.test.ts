import { PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { erasedHash, type StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { keyedDigest } from "../../../core/formats/keyed-digest.ts";
import {
  compareWithCards,
  inForce,
  maxMissingPlayers,
  maxUnlistedCards,
  playersCard,
  type StartList,
  type StartListCard,
} from "../../../core/views/start-list.ts";
import {
  playersInStartList,
  type StartListTable,
  type StoredStartList,
  startListTable,
} from "../../../core/views/start-list-table.ts";
import { tournamentId } from "../../../core/views/tournament.ts";
import { startEngine, tables } from "../aws/engine.ts";
import { storedCard } from "../memory/stored-card.ts";

const card = (digest: string, state: StoredCard["state"] = "delivered", round = 1): StartListCard => ({
  externalId: `card of ${digest}`,
  digest,
  round,
  state,
});
const players = (...digests: string[]) => digests.map((digest, place) => ({ digest, label: `${place + 1}` }));

describe("a start list compared with cards", () => {
  test.each([
    ["no card", [], "not_sent"],
    ["a card that waits", [card("a", "queued")], undefined],
    ["a card whose post is repeated", [card("a", "retrying")], undefined],
    ["a delivered card", [card("a")], undefined],
    ["a card that is being withdrawn, and may be delivered", [card("a", "withdrawing")], undefined],
    ["a withdrawn card", [card("a", "withdrawn")], "withdrawn"],
    ["a rejected card", [card("a", "rejected")], "rejected"],
    ["a card that was given up", [card("a", "undelivered")], "undelivered"],
    ["a withdrawn card and a delivered one", [card("a", "withdrawn"), card("a")], undefined],
    ["a withdrawn card and a rejected one", [card("a", "withdrawn"), card("a", "rejected")], "rejected"],
    ["a card of another round", [card("a", "delivered", 2)], "not_sent"],
    ["a card of another player", [card("b")], "not_sent"],
  ])("says of a player with %s whether one is missing, and why", (_, cards, reason) => {
    const [round] = compareWithCards({ rounds: [1], players: players("a") }, cards);
    const missing = reason === undefined ? [] : [{ index: 0, label: "1", reason }];
    expect(round).toMatchObject({ round: 1, players: 1, missing: missing.length, missingPlayers: missing });
  });

  test("has the rounds that it names, else those that have cards, else one without number", () => {
    const roundsOf = (cards: StartListCard[], rounds?: number[]) =>
      compareWithCards({ ...(rounds && { rounds }), players: players("a") }, cards).map(({ round }) => round);
    expect(roundsOf([card("a", "delivered", 7)], [2, 1])).toEqual([1, 2]);
    expect(roundsOf([card("a", "delivered", 7), card("b", "queued", 3), card("c", "withdrawn", 9)])).toEqual([
      3, 7,
    ]);
    expect(roundsOf([])).toEqual([0]);
  });

  test("counts a card without a number in its only round, and in none of several", () => {
    const cards = [card("a", "delivered", 0)];
    const missing = (rounds: number[]) =>
      compareWithCards({ rounds, players: players("a") }, cards).map((one) => one.missing);
    expect(missing([2])).toEqual([0]);
    expect(missing([1, 2])).toEqual([1, 1]);
  });

  test("counts cards of players who are not in it, and leaves the place of an erased player empty", () => {
    const list = { rounds: [1], players: [undefined, ...players("a", "b")] };
    const cards = [card("b"), card("x"), card("y", "queued"), card("z", "withdrawn")];
    expect(compareWithCards(list, cards)).toEqual([
      {
        round: 1,
        players: 2,
        missing: 1,
        missingPlayers: [{ index: 1, label: "1", reason: "not_sent" }],
        unlisted: 2,
        unlistedCards: ["card of x", "card of y"],
      },
    ]);
  });

  test("counts all who are missing and all cards of others, and lists the first of them", () => {
    const digests = Array.from({ length: 2_000 }, (_, place) => `player ${place}`);
    const [round] = compareWithCards({ players: players(...digests) }, []);
    expect(round).toMatchObject({ players: 2_000, missing: 2_000 });
    expect(round?.missingPlayers).toHaveLength(maxMissingPlayers);
    const cards = digests.map((digest) => card(digest));
    const [other] = compareWithCards({ players: players("a") }, cards);
    expect([other?.unlisted, other?.unlistedCards.length]).toEqual([2_000, maxUnlistedCards]);
  });
});

describe("a card's player", () => {
  const id = tournamentId("Midsummer Cup");
  const day = "2026-07-04";
  const Round = { TournamentName: "Midsummer  Cup", TournamentRoundNumber: 2, StartTime: "20260704T090000" };
  const digest = (unionId: string) => keyedDigest("secret", "startList", "vendor", id, unionId);
  const of = (change: object) =>
    playersCard(
      storedCard("417", { content: contentOf({ Round, Player: { UnionID: "32-1" }, ...change }, []) }),
      { id, day },
      digest,
    );

  test.each(["32-1", "032-1", "32-01"])("is recognised by any spelling of the number: %s", (UnionID) => {
    expect(of({ Player: { UnionID } })).toEqual({
      externalId: "417",
      digest: digest("32-1"),
      round: 2,
      state: "queued",
    });
  });

  test.each([
    ["was corrected to another tournament", { Round: { ...Round, TournamentName: "Other Cup" } }],
    ["was corrected to another day", { Round: { ...Round, StartTime: "20260705T090000" } }],
    ["has no player any more, because the player was erased", { Player: undefined }],
    ["has nothing of a card any more", { Round: undefined, Player: undefined, contentHash: erasedHash }],
  ])("is of no list if the card %s", (_, change) => {
    expect(of(change)).toBeUndefined();
  });

  test("has another digest in another tournament, for another vendor, and with another secret", () => {
    const digests = [
      ["secret", "vendor", id],
      ["secret", "vendor", tournamentId("Other Cup")],
      ["secret", "other", id],
      ["other", "vendor", id],
    ].map(([secret = "", apiSet = "", of = ""]) => keyedDigest(secret, "startList", apiSet, of, "32-1"));
    expect(new Set(digests).size).toBe(4);
    expect(digests.join()).not.toContain("32-1");
  });
});

describe("the table of start lists", () => {
  const { TableName } = tables.activity;
  const start = Date.parse("2026-07-03T12:00:00Z");
  const id = tournamentId("Midsummer Cup");
  let now = start;
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let lists: StartListTable;
  beforeAll(async () => {
    engine = await startEngine();
    await engine.createTable(tables.activity);
    lists = startListTable(TableName, engine.client, () => now);
  });
  afterAll(() => engine.stop());

  let vendors = 0;
  const newVendor = () => `list-vendor-${++vendors}` as ApiSet;
  const list = (from: string, to = from, change: Partial<StoredStartList> = {}): StoredStartList => ({
    from,
    to,
    players: players("a", "b"),
    putAt: now++,
    expiresAt: start + 30 * 86_400_000,
    ...change,
  });
  const month = { from: "2026-07-01", to: "2026-07-31" };
  const daysOf = (found: readonly StartList[]) => found.map(({ from, to }) => `${from} ${to}`);
  /** Items of the partition, also those that are shown to nobody. */
  const stored = async (apiSet: ApiSet) => {
    const { Items = [] } = await engine.client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: "apiSet = :apiSet",
        ExpressionAttributeValues: { ":apiSet": { S: `${apiSet}#start-lists` } },
      }),
    );
    return Items;
  };

  test("gives a list back as it was put, with 2,000 players in one item", async () => {
    const apiSet = newVendor();
    const many = Array.from({ length: 2_000 }, (_, place) => ({
      digest: keyedDigest("secret", "startList", apiSet, id, `32-${place}`),
      label: `${place + 1}`,
    }));
    const put = list("2026-07-04", "2026-07-05", {
      name: "Midsummer Cup",
      rounds: [1, 2],
      players: [...many.slice(1), { digest: "without a label" }],
    });
    await lists.put(apiSet, id, put);
    expect(await lists.read(apiSet, id, month)).toEqual([put]);
    const items = await stored(apiSet);
    expect(items).toHaveLength(1);
    expect(items[0]?.players?.B?.byteLength).toBeLessThan(100_000);
  });

  test("replaces all lists that have a day in common, and no others", async () => {
    const apiSet = newVendor();
    await lists.put(apiSet, id, list("2026-07-04"));
    await lists.put(apiSet, id, list("2026-07-06"));
    await lists.put(apiSet, id, list("2026-07-08", "2026-07-10"));
    await lists.put(apiSet, tournamentId("Other Cup"), list("2026-07-06"));
    await lists.put(apiSet, id, list("2026-07-05", "2026-07-09", { players: players("c") }));
    const found = await lists.read(apiSet, id, month);
    expect(daysOf(found)).toEqual(["2026-07-04 2026-07-04", "2026-07-05 2026-07-09"]);
    expect(found[1]?.players).toEqual(players("c"));
    expect(await stored(apiSet)).toHaveLength(3);
    await lists.put(apiSet, id, list("2026-07-05", "2026-07-09", { players: players("d") }));
    expect((await lists.read(apiSet, id, month))[1]?.players).toEqual(players("d"));
  });

  test("finds a list by any of its days, also the last of 31", async () => {
    const apiSet = newVendor();
    await lists.put(apiSet, id, list("2026-07-01", "2026-07-31"));
    const found = async (day: string) => (await lists.read(apiSet, id, { from: day, to: day })).length;
    expect(await Promise.all(["2026-06-30", "2026-07-01", "2026-07-31", "2026-08-01"].map(found))).toEqual([
      0, 1, 1, 0,
    ]);
  });

  test("shows no list that has expired, whether or not DynamoDB has removed it", async () => {
    const apiSet = newVendor();
    await lists.put(apiSet, id, list("2026-07-04"));
    const [item] = await stored(apiSet);
    expect(item?.expiresAt?.N).toBe(String(start / 1000 + 30 * 86_400));
    const before = now;
    now = start + 30 * 86_400_000 - 1;
    expect(await lists.read(apiSet, id, month)).toHaveLength(1);
    now = start + 30 * 86_400_000;
    expect(await lists.read(apiSet, id, month)).toEqual([]);
    expect(await stored(apiSet)).toHaveLength(1);
    expect(await lists.remove(apiSet, id, month)).toBe(false);
    now = before;
  });

  test("lists a vendor's lists of some days, of all tournaments, with the players that are left, and none that has expired", async () => {
    const [apiSet, other] = [newVendor(), newVendor()];
    const second = tournamentId("Other Cup");
    const named = { name: "Other Cup", rounds: [1, 2], players: [...players("a", "b"), undefined] };
    await lists.put(apiSet, id, list("2026-07-04"));
    await lists.put(apiSet, second, list("2026-07-06", "2026-07-08", named));
    await lists.put(other, id, list("2026-07-06"));
    const { players: _, ...rest } = named;
    const listed = { ...rest, id: second, from: "2026-07-06", to: "2026-07-08", players: 2 };
    expect(await lists.ofDays(apiSet, { from: "2026-07-08", to: "2026-07-31" })).toEqual([listed]);
    expect((await lists.ofDays(apiSet, month)).map((one) => one.id).toSorted()).toEqual(
      [id, second].toSorted(),
    );
    expect(await lists.ofDays(apiSet, { from: "2026-07-09", to: "2026-07-31" })).toEqual([]);
    const before = now;
    now = start + 30 * 86_400_000;
    expect(await lists.ofDays(apiSet, month)).toEqual([]);
    now = before;
  });

  test("removes the lists of some days, and leaves other vendors' lists alone", async () => {
    const [apiSet, other] = [newVendor(), newVendor()];
    for (const of of [apiSet, other]) await lists.put(of, id, list("2026-07-04"));
    const day = { from: "2026-07-05", to: "2026-07-05" };
    expect(await lists.remove(apiSet, id, day)).toBe(false);
    expect(await lists.remove(apiSet, id, month)).toBe(true);
    expect(await lists.read(apiSet, id, month)).toEqual([]);
    expect(await stored(apiSet)).toEqual([]);
    expect(await lists.read(other, id, month)).toHaveLength(1);
  });

  test("a list that was put while an older one was being replaced is not removed with it", async () => {
    const apiSet = newVendor();
    const older = list("2026-07-04");
    await lists.put(apiSet, id, older);
    const newer = list("2026-07-04", "2026-07-04", { players: players("newer") });
    let isFirst = true;
    // Between its read and its writes.
    const send = async (command: QueryCommand) => {
      const answer = await engine.client.send(command);
      if (isFirst) {
        isFirst = false;
        await lists.put(apiSet, id, newer);
      }
      return answer;
    };
    const client: typeof engine.client = Object.create(engine.client, { send: { value: send } });
    const interrupted = startListTable(TableName, client, () => now);
    expect(await interrupted.remove(apiSet, id, month)).toBe(true);
    expect((await lists.read(apiSet, id, month)).map((one) => one.players)).toEqual([newer.players]);
  });

  test("a person's digest and label are found in an item by number or label, and leave their place empty", async () => {
    const apiSet = newVendor();
    const digests = ["32-1", "32-2", "32-3"].map((unionId) =>
      keyedDigest("secret", "startList", apiSet, id, unionId),
    );
    await lists.put(apiSet, id, list("2026-07-04", "2026-07-04", { players: players(...digests) }));
    const [item = {}] = await stored(apiSet);
    const found = playersInStartList(item, (of, tournament) => {
      const own = keyedDigest("secret", "startList", of, tournament, "032-01");
      return ({ digest, label }) => digest === own || label === "2";
    });
    const texts = [JSON.stringify([digests[0], "1"]), JSON.stringify([digests[1], "2"])];
    expect(found?.texts).toEqual(texts);
    const erased = { ...item, players: { B: found?.without ?? new Uint8Array() } };
    await engine.client.send(new PutItemCommand({ TableName, Item: erased }));
    const [left] = await lists.read(apiSet, id, month);
    expect(left?.players).toEqual([undefined, undefined, { digest: digests[2], label: "3" }]);
    expect(playersInStartList({ apiSet: { S: `${apiSet}#tournaments` } }, () => () => true)).toBeUndefined();
  });
});

test("of lists that have a day in common the newest is in force", () => {
  const list = (from: string, to: string, putAt: number) => ({ from, to, putAt, players: [], expiresAt: 0 });
  const found = inForce([
    list("2026-07-01", "2026-07-04", 1),
    list("2026-07-04", "2026-07-06", 3),
    list("2026-07-06", "2026-07-08", 2),
    list("2026-07-09", "2026-07-09", 4),
  ]);
  expect(found.map(({ putAt }) => putAt)).toEqual([3, 4]);
});
