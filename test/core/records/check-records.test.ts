import { setImmediate } from "node:timers/promises";
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, test, vi } from "vitest";
import { type Item, TableBatchError } from "../../../core/aws/batch.ts";
import { scorecardReader, scorecardWriter } from "../../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf, roundOf } from "../../../core/cards/life/card-content.ts";
import { erasure } from "../../../core/cards/person-data.ts";
import type { RecordAnswer } from "../../../core/records/ask-for-records.ts";
import { checkRecords } from "../../../core/records/check-records.ts";
import { recordCheckLists, recordCheckScheduler } from "../../../core/records/record-check-table.ts";
import { rowClaims } from "../../../core/records/record-evidence-table.ts";
import { hour } from "../../durations.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

const timing = { first: 3 * hour, last: 9 * hour };
const activity = tables.activity.TableName;
const scorecards = tables.scorecards.TableName;

/** Counts the requests of a run to DynamoDB and to the union, and may end the run at one of them, as if its process died. */
let requests: { count: number; dieAt: number; when: "before" | "after"; died: PromiseWithResolvers<"died"> };
const forever = () => new Promise<never>(() => undefined);
async function request<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  requests.count++;
  // A dead process sends nothing, and hears nothing.
  if (requests.count > requests.dieAt) return forever();
  const isLast = requests.count === requests.dieAt;
  if (isLast && requests.when === "before") {
    requests.died.resolve("died");
    return forever();
  }
  const answer = await send();
  if (!isLast) return answer;
  requests.died.resolve("died");
  return forever();
}
function begin(dieAt = Number.POSITIVE_INFINITY, when: "before" | "after" = "before") {
  requests = { count: 0, dieAt, when, died: Promise.withResolvers() };
}

/** The vendor's cards of the days before were found. */
const mostAreFound = (at: number) => ({ found: 100, absent: 1, lastFoundAt: at });

const engine = await provideEngine(tables.activity, tables.scorecards);
begin();
engine.client.middlewareStack.add((next) => (given) => request(() => next(given)), {
  step: "finalizeRequest",
  name: "count",
  priority: "high",
});

const roundOfPlayer = (player: string) => ({
  startTime: "20260601T090000",
  totalStrokes: 92,
  totalPoints: 33,
  differential: Number(player) * 1000,
});
const contentFor = (player: string) =>
  contentOf({
    ID: "an ID",
    Round: { StartTime: "20260601T090000" },
    Result: { TotalStrokes: 92, TotalPoints: 33 },
    Player: { UnionID: player },
  });

/** What the union says of a player. */
type Answering = (player: string) => RecordAnswer | Promise<RecordAnswer>;

type ClaimRequest = Readonly<Record<string, { readonly Keys: Item[] } | { PutRequest: { Item: Item } }[]>>;

/** The cards of the players 1, 2, …, delivered in batches, and what becomes of them. */
function cardsOf(name: string, batches: readonly (readonly string[])[]) {
  const keyOf = (player: string) => `${name} ${player}`;
  const { write, tryWrite } = scorecardWriter(scorecards, engine.client);
  const { read, tryRead } = scorecardReader(scorecards, engine.client);
  /** The players of cards whose items are refused. */
  const refused = { reads: new Set<string>(), writes: new Set<string>(), shares: false };
  const refuseShares = async () => {
    if (refused.shares) throw new TableBatchError(activity);
  };
  /** Of how many rounds DynamoDB leaves the claims unprocessed, the first ones of a request. */
  const claimsLeft = { reads: 0, writes: 0 };
  const claimsClient = {
    async send({ input: { RequestItems } }: { readonly input: { readonly RequestItems: ClaimRequest } }) {
      const { [activity]: asked } = RequestItems;
      if (Array.isArray(asked)) {
        const { writes } = claimsLeft;
        const puts = { RequestItems: { [activity]: asked.slice(writes) } };
        if (asked.length > writes) await engine.client.send(new BatchWriteItemCommand(puts));
        return { UnprocessedItems: { [activity]: asked.slice(0, writes) } };
      }
      const { reads } = claimsLeft;
      const Keys = asked?.Keys ?? [];
      const gets = { RequestItems: { [activity]: { Keys: Keys.slice(reads) } } };
      const found = Keys.length > reads ? await engine.client.send(new BatchGetItemCommand(gets)) : {};
      return { ...found, UnprocessedKeys: { [activity]: { Keys: Keys.slice(0, reads) } } };
    },
  } as unknown as DynamoDBClient;
  const lists = recordCheckLists(activity, engine.client, timing);
  const players = batches.flat();
  /** How often a player's record was asked for. */
  const asked = new Map<string, number>();
  let most = 0;
  let atOnce = 0;

  async function ask(player: string, answer: Answering): Promise<RecordAnswer> {
    asked.set(player, (asked.get(player) ?? 0) + 1);
    most = Math.max(most, ++atOnce);
    await setImmediate();
    try {
      return await request(async () => answer(player));
    } finally {
      atOnce--;
    }
  }

  return {
    asked,
    most: () => most,
    lists,
    write,
    ...{ refused, claimsLeft },
    keyOf,
    /** @param formerPlayer of the cards before a correction */
    async deliver(formerPlayer?: string) {
      const cards = players.map((player) => {
        const { apiSet, externalId, ...set } = storedCard(keyOf(player), {
          state: "delivered",
          content: contentFor(player),
          ...(formerPlayer && { formerRound: roundOf(contentFor(formerPlayer)) }),
        });
        return { apiSet, externalId, set };
      });
      await write(cards);
      const deliveries = batches.map((batch, place) => ({
        apiSet: green,
        since: start,
        sequenceNumber: `${name} ${place}`,
        externalIds: batch.map(keyOf),
      }));
      await recordCheckScheduler(activity, engine.client, timing)(deliveries, "shard");
    },
    /** Checks the records at a time. */
    check: (at: number, answer: Answering, isTimeUp = () => false) =>
      checkRecords(
        {
          lists,
          table: {
            async tryRead(apiSet, externalIds) {
              const unread = new Set(externalIds.filter((id) => refused.reads.has(id)));
              const read = await tryRead(
                apiSet,
                externalIds.filter((id) => !unread.has(id)),
              );
              return { ...read, unread };
            },
            async tryWrite(changes) {
              const taken = changes.filter(({ externalId }) => !refused.writes.has(externalId));
              const results = await tryWrite(taken);
              return changes.map((change) => results[taken.indexOf(change)] ?? "refused");
            },
          },
          claims: rowClaims(activity, claimsClient, async () => name),
          shares: { read: () => refuseShares().then(() => [mostAreFound(at)]), add: refuseShares },
          ask: (_, { unionId = "" }) => ask(unionId, answer),
          parallelRequests: 2,
          timing,
          now: () => new Date(at),
        },
        isTimeUp,
      ),
    async records() {
      const cards = await read(players.map((player) => ({ apiSet: green, externalId: keyOf(player) })));
      return new Map(cards.map(({ externalId, record }) => [externalId.split(" ").at(-1), record]));
    },
  };
}

const inRecordOf =
  (...known: readonly string[]) =>
  (player: string): RecordAnswer =>
    known.includes(player) ? [roundOfPlayer(player)] : [];

test("a card that is in the record is looked for once more at the end, one that is not until the last time", async () => {
  const cards = cardsOf("once", [["1", "2"], ["3"]]);
  await cards.deliver();
  expect(await cards.check(start + 2 * hour, inRecordOf("1"))).toMatchObject({ recorded: 0, notYet: 0 });
  expect(await cards.check(start + 3 * hour, inRecordOf("1"))).toMatchObject({ recorded: 1, notYet: 2 });
  expect(await cards.check(start + 9 * hour, inRecordOf("1", "3"))).toMatchObject({
    recorded: 1,
    notRecorded: 1,
    notYet: 0,
    lateMilliseconds: 0,
  });
  expect(await cards.records()).toEqual(
    new Map([
      ["1", { at: start + 3 * hour, isRecorded: true, differential: 1000 }],
      ["2", { at: start + 9 * hour, isRecorded: false }],
      ["3", { at: start + 9 * hour, isRecorded: true, differential: 3000 }],
    ]),
  );
  expect(Object.fromEntries(cards.asked)).toEqual({ 1: 2, 2: 2, 3: 2 });
  expect(await cards.lists.due(start + 1000 * hour)).toEqual([]);
});

test("a round that the player before a correction has still is recorded twice, until it is taken off", async () => {
  const cards = cardsOf("twice", [["1"]]);
  await cards.deliver("8");
  await cards.check(start + 3 * hour, inRecordOf("1", "8"));
  const read = async () => (await cards.records()).get("1");
  expect(await read()).toMatchObject({ isRecorded: true, isTwice: true });
  // An answer that does not come changes nothing.
  const noAnswer = (player: string) => (player === "8" ? "unanswered" : inRecordOf("1")(player));
  await cards.check(start + 9 * hour, noAnswer);
  expect(await read()).toMatchObject({ isTwice: true });

  const corrected = cardsOf("taken off", [["1"]]);
  await corrected.deliver("8");
  await corrected.check(start + 3 * hour, inRecordOf("1", "8"));
  await corrected.check(start + 9 * hour, inRecordOf("1"));
  expect((await corrected.records()).get("1")).toMatchObject({ isRecorded: true, differential: 1000 });
  expect((await corrected.records()).get("1")).not.toHaveProperty("isTwice");
});

test("a round of the player before that is another card's is not recorded twice", async () => {
  const cards = cardsOf("own", [["8"], ["1"]]);
  await cards.deliver("8");
  await cards.check(start + 3 * hour, inRecordOf("8"));
  await cards.check(start + 9 * hour, inRecordOf("1", "8"));
  expect((await cards.records()).get("1")).toMatchObject({ isRecorded: true });
  expect((await cards.records()).get("1")).not.toHaveProperty("isTwice");
});

test("never more requests than allowed are under way", async () => {
  const cards = cardsOf("at once", [Array.from({ length: 20 }, (_, place) => String(place))]);
  await cards.deliver();
  await cards.check(start + 3 * hour, (player) => [roundOfPlayer(player)]);
  expect(cards.most()).toBe(2);
  await cards.check(start + 9 * hour, (player) => [roundOfPlayer(player)]);
});

test("a round with other totals says so in the end", async () => {
  const cards = cardsOf("other totals", [["1"]]);
  await cards.deliver();
  await cards.check(start + 9 * hour, (player) => [{ ...roundOfPlayer(player), totalStrokes: 80 }]);
  expect((await cards.records()).get("1")).toMatchObject({ isRecorded: false, absence: "otherTotals" });
});

test("a card for which the union does not answer gets no result, however late it is, and is looked for again", async () => {
  const cards = cardsOf("unanswered", [["1", "2"]]);
  await cards.deliver();
  const answered = await cards.check(start + 100 * hour, (player) => (player === "1" ? "unanswered" : []));
  expect(answered).toMatchObject({ unanswered: 1, notRecorded: 1, notYet: 0 });
  expect((await cards.records()).get("1")).toBeUndefined();
  expect(await cards.check(start + 100 * hour, inRecordOf("1"))).toMatchObject({ recorded: 0 });
  expect(await cards.check(start + 103 * hour, inRecordOf("1"))).toMatchObject({ recorded: 1 });
});

test("a card that the table refuses to read or write holds up no other, and is looked for again", async () => {
  const { deliver, check, refused, keyOf, records } = cardsOf("refused", [["1", "2", "3"]]);
  await deliver();
  refused.reads.add(keyOf("1"));
  refused.writes.add(keyOf("2"));
  const areIn = inRecordOf("1", "2", "3");
  expect(await check(start + 3 * hour, areIn)).toMatchObject({ recorded: 1, lateMilliseconds: 0 });
  expect((await records()).get("3")).toMatchObject({ isRecorded: true });
  refused.reads.clear();
  refused.writes.clear();
  expect(await check(start + 9 * hour, areIn)).toMatchObject({ recorded: 2, lateMilliseconds: 0 });
});

test("a claim that the table refuses to read or write holds up no other card, and its own is looked for again", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { deliver, check, claimsLeft, records } = cardsOf("unclaimed", [["1", "2", "3"], ["4"]]);
  await deliver();
  Object.assign(claimsLeft, { reads: 1, writes: 1 });
  const areIn = inRecordOf("1", "2", "3", "4");
  expect(await check(start + 3 * hour, areIn)).toMatchObject({ recorded: 2, lateMilliseconds: 0 });
  expect([...(await records()).values()].filter((record) => record?.isRecorded)).toHaveLength(2);
  Object.assign(claimsLeft, { reads: 0, writes: 0 });
  expect(await check(start + 9 * hour, areIn)).toMatchObject({ recorded: 2, lateMilliseconds: 0 });
});

test("a vendor's counts that the table refuses hold up no card, and the run fails once all is recorded", async () => {
  const { deliver, check, refused, records } = cardsOf("uncounted", [["1", "2"], ["3"]]);
  await deliver();
  refused.shares = true;
  await expect(check(start + 3 * hour, inRecordOf("1", "2", "3"))).rejects.toThrow(TableBatchError);
  expect([...(await records()).values()].map((record) => record?.isRecorded)).toEqual([true, true, true]);
  refused.shares = false;
  expect(await check(start + 9 * hour, inRecordOf("1", "2", "3"))).toMatchObject({ lateMilliseconds: 0 });
});

test("cards that nobody was asked for stay due, and the delay says for how long", async () => {
  const cards = cardsOf("left", [["1"], ["2"]]);
  await cards.deliver();
  const given = await cards.check(start + 5 * hour, (player) => (player === "1" ? [] : "left"));
  expect(given).toMatchObject({ notYet: 1, lateMilliseconds: 2 * hour });
  expect(await cards.check(start + 5 * hour, inRecordOf("2"))).toMatchObject({
    recorded: 1,
    lateMilliseconds: 0,
  });
  await cards.check(start + 9 * hour, inRecordOf("1", "2"));
});

test("when the time is up nobody is asked for any more, and the next run goes on", async () => {
  const cards = cardsOf("time", [["1"], ["2"], ["3"]]);
  await cards.deliver();
  let looks = 0;
  await cards.check(start + 3 * hour, inRecordOf("1", "2", "3"), () => ++looks > 2);
  expect(cards.asked.size).toBeLessThan(3);
  await cards.check(start + 3 * hour, inRecordOf("1", "2", "3"));
  const records = [...(await cards.records()).values()];
  expect(records.map((record) => record?.isRecorded)).toEqual([true, true, true]);
  expect([...cards.asked.values()]).toEqual([1, 1, 1]);
  await cards.check(start + 9 * hour, inRecordOf("1", "2", "3"));
});

test("a card that was corrected or erased meanwhile gets no result from its older version's list", async () => {
  const cards = cardsOf("corrected", [["1"], ["2"], ["3"]]);
  await cards.deliver();
  const change = (player: string, set: Partial<StoredCard>) => ({
    apiSet: green,
    externalId: cards.keyOf(player),
    expects: { version: 1, states: ["delivered"] as const },
    set,
  });
  await cards.write([
    change("1", { version: 2, state: "queued" }),
    change("2", { version: 2, since: start + 2 * hour }),
    erasure(
      storedCard(cards.keyOf("3"), { state: "delivered", content: contentFor("3") }),
      { role: "player" },
      () => false,
    ),
  ]);
  await cards.check(start + 9 * hour, inRecordOf("1", "2", "3"));
  expect([...(await cards.records()).values()]).toEqual([undefined, undefined, undefined]);
  expect(cards.asked.size).toBe(0);
  expect(await cards.lists.due(start + 1000 * hour)).toEqual([]);
});

test("nothing of a record is written on a card whose player is erased before the union answers", async () => {
  const cards = cardsOf("erased", [["1"]]);
  await cards.deliver();
  const card = storedCard(cards.keyOf("1"), { state: "delivered", content: contentFor("1") });
  await cards.check(start + 3 * hour, async (player) => {
    expect(await cards.write([erasure(card, { role: "player" }, () => false)])).toEqual(["written"]);
    return inRecordOf("1")(player);
  });
  await cards.check(start + 9 * hour, inRecordOf("1"));
  expect(cards.asked.get("1")).toBe(1);
  expect([...(await cards.records()).values()]).toEqual([undefined]);
});

test("when the union last gave a record is kept beside the lists", async () => {
  const { lists } = cardsOf("given", []);
  expect(await lists.recordGivenAt()).toBe(0);
  for (const at of [start, start + hour]) await lists.recordGiven(at);
  expect(await lists.recordGivenAt()).toBe(start + hour);
  expect(await lists.due(start + 1000 * hour)).toEqual([]);
});

test("a batch of deliveries that the stream repeats is one list, which is kept for two weeks after its last look", async () => {
  const cards = cardsOf("repeated", [["1"]]);
  await cards.deliver();
  await cards.deliver();
  const [list, ...others] = await cards.lists.due(start + 3 * hour);
  expect([list?.externalIds, others]).toEqual([[cards.keyOf("1")], []]);
  const at = { S: `${new Date(start + 3 * hour).toISOString()}#${list?.batch}` };
  const key = { apiSet: { S: "records:" }, at };
  const { Item: item } = await engine.client.send(new GetItemCommand({ TableName: activity, Key: key }));
  expect(item?.expiresAt).toEqual({ N: String((start + 9 * hour) / 1000 + 14 * 86_400) });
  await cards.check(start + 9 * hour, inRecordOf());
});

/** The whole life of three lists, with a run that dies at a request and is made again. @returns what became of the cards */
async function life(name: string, dieAt: number, when: "before" | "after") {
  begin();
  const cards = cardsOf(name, [["1", "2"], ["3"], ["4", "5"]]);
  await cards.deliver();
  begin(dieAt, when);
  const runs = [
    () => cards.check(start + 3 * hour, inRecordOf("1", "4")),
    () => cards.check(start + 9 * hour, inRecordOf("1", "3", "4")),
  ];
  let isDead = false;
  for (const run of runs) {
    if (isDead || (await Promise.race([run(), requests.died.promise])) === "died") {
      if (!isDead) begin();
      isDead = true;
      await run();
    }
  }
  const made = requests.count;
  begin();
  const records = await cards.records();
  return {
    made,
    isDead,
    left: await cards.lists.due(start + 1000 * hour),
    results: Object.fromEntries([...records].map(([player, record]) => [player, record?.isRecorded])),
    differentials: Object.fromEntries([...records].map(([player, record]) => [player, record?.differential])),
  };
}

test("a check that is killed at any request, and run again, comes to the same end", async () => {
  const whole = await life("whole", Number.POSITIVE_INFINITY, "before");
  expect(whole).toMatchObject({
    isDead: false,
    left: [],
    results: { 1: true, 2: false, 3: true, 4: true, 5: false },
    differentials: { 1: 1000, 3: 3000, 4: 4000 },
  });
  expect(whole.made).toBeGreaterThan(15);
  for (let dieAt = 1; dieAt <= whole.made; dieAt++) {
    for (const when of ["before", "after"] as const) {
      const { isDead, left, results, differentials } = await life(`${when} ${dieAt}`, dieAt, when);
      expect({ dieAt, when, isDead, left, results, differentials }).toEqual({
        dieAt,
        when,
        isDead: true,
        left: [],
        results: whole.results,
        differentials: whole.differentials,
      });
    }
  }
});

test("a differential that the union calculates again is told, and counted as no second result", async () => {
  const cards = cardsOf("again", [["1"]]);
  await cards.deliver();
  await cards.check(start + 3 * hour, inRecordOf("1"));
  const changed = (player: string) => [{ ...roundOfPlayer(player), differential: 7000 }];
  expect(await cards.check(start + 9 * hour, changed)).toMatchObject({ recorded: 0, changed: 1 });
  expect((await cards.records()).get("1")).toEqual({
    at: start + 3 * hour,
    isRecorded: true,
    differential: 7000,
  });
  expect(await cards.lists.due(start + 1000 * hour)).toEqual([]);
});
