import type { BatchGetItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import type { DeliveryRecord, ScorecardTable, StoredCard } from "../../../core/store/scorecard-table.ts";
import { scorecardTable } from "../../../core/store/scorecards.ts";
import { startEngine, tables } from "./engine.ts";

const green = "green" as ApiSet;
const red = "red" as ApiSet;
let engine: Awaited<ReturnType<typeof startEngine>>;
let cards: ScorecardTable;

beforeAll(async () => {
  engine = await startEngine();
  await engine.createTable(tables.scorecards);
  cards = scorecardTable("scorecards", engine.client);
});
afterAll(() => engine.stop());

const stored = (externalId: string, given: Partial<StoredCard> = {}): StoredCard => ({
  apiSet: green,
  externalId,
  revision: "r1",
  contentHash: "h1",
  acceptedAt: 1_700_000_000_000,
  withdraws: undefined,
  content: contentOf({ ExternalID: externalId, Result: { Strokes: [4, 5, 3] } }),
  ...given,
});
const delivery = (externalId: string, given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  apiSet: green,
  externalId,
  revision: "r1",
  state: "retrying",
  attempts: 2,
  aloneFailures: 1,
  since: 1_700_000_000_000,
  ...given,
});

test("a card comes back as it was stored, with what delivery recorded of it", async () => {
  const failure = { stage: "after", status: 503, message: "busy" } as const;
  const record = delivery("1", { failure, nextAttemptAt: 1_700_000_060_000, earlier: [] });
  await cards.putCards([stored("1")]);
  await cards.putDeliveries([record]);
  const warnings = [
    { index: 0, externalId: "1", pointer: "/HCP", code: "out_of_range", detail: "…" } as const,
  ];
  await cards.putCards([stored("2", { content: contentOf({}, warnings) })]);
  const { content, ...about } = stored("1");
  const found = await cards.read(green, ["1", "2", "new"]);
  expect([...found.keys()].sort()).toEqual(["1", "2"]);
  expect(found.get("1")).toMatchObject({ card: about, delivery: record });
  expect(found.get("1")?.card?.content.text()).toBe(content.text());
  expect(found.get("2")?.card?.content.warnings()).toEqual(warnings);
});

describe("cards of a parcel", () => {
  const parcelled = (externalId: string, id: string, given: Partial<StoredCard> = {}) =>
    stored(externalId, { parcel: { id, revision: "r1" }, ...given });
  const since = 1_700_000_005_000;
  const deliver = (parcel: string, externalIds: readonly string[]) =>
    cards.putParcels([
      {
        apiSet: green,
        parcel,
        cards: externalIds.map((externalId) => ({ externalId, revision: "r1" })),
        since,
      },
    ]);
  const records = async (parcel: string | undefined, ...externalIds: string[]) =>
    (await cards.readRecords(externalIds.map((externalId) => ({ apiSet: green, externalId, parcel })))).map(
      ({ delivery }) => delivery?.state,
    );

  test("have what became of all of them, however they are asked for", async () => {
    await cards.putCards([parcelled("p1", "whole"), parcelled("p2", "whole")]);
    expect(await records("whole", "p1", "p2")).toEqual([undefined, undefined]);
    await deliver("whole", ["p1", "p2"]);
    const told = { apiSet: green, externalId: "p2", revision: "r1", state: "delivered", attempts: 1, since };
    expect((await cards.read(green, ["p1", "p2"])).get("p2")?.delivery).toMatchObject(told);
    expect(await records("whole", "p1", "p2")).toEqual(["delivered", "delivered"]);
    expect(await records(undefined, "p1")).toEqual(["delivered"]);
  });

  test("have records of their own once it is opened", async () => {
    await cards.putCards([parcelled("p3", "opened"), parcelled("p4", "opened")]);
    await cards.putDeliveries([delivery("p3", { state: "rejected" })]);
    expect(await records("opened", "p3", "p4")).toEqual([undefined, undefined]);
    await cards.openParcels([{ apiSet: green, parcel: "opened" }], since);
    expect(await records("opened", "p3", "p4")).toEqual(["rejected", undefined]);
    expect((await cards.read(green, ["p3"])).get("p3")?.delivery?.state).toBe("rejected");
  });

  test("that were delivered are so, whatever came of a second message of theirs", async () => {
    await cards.putCards([parcelled("p5", "twice"), parcelled("p6", "twice")]);
    await deliver("twice", ["p5", "p6"]);
    await cards.openParcels([{ apiSet: green, parcel: "twice" }], since);
    await cards.putDeliveries([delivery("p5", { state: "retrying" }), delivery("p6", { state: "rejected" })]);
    expect(await records("twice", "p5", "p6")).toEqual(["delivered", "delivered"]);
  });

  test("and were corrected keep their earlier outcome until the correction has its own", async () => {
    await cards.putCards([parcelled("p7", "corrected"), parcelled("p8", "corrected")]);
    await deliver("corrected", ["p7", "p8"]);
    await cards.putCards([parcelled("p7", "corrected", { revision: "r2" })]);
    const read = async () => (await cards.read(green, ["p7"])).get("p7");
    expect(await read()).toMatchObject({
      card: { revision: "r2", parcel: { id: "corrected", revision: "r1" } },
      delivery: { revision: "r1", state: "delivered" },
    });
    await cards.putDeliveries([delivery("p7", { revision: "r2", state: "retrying" })]);
    expect((await read())?.delivery).toMatchObject({ revision: "r2", state: "retrying" });
  });

  test("are looked up with two items more than their number, in one request", async () => {
    const asked: number[] = [];
    const send = async (command: BatchGetItemCommand) => {
      asked.push(command.input.RequestItems?.scorecards?.Keys?.length ?? 0);
      return engine.client.send(command);
    };
    const counted = scorecardTable("scorecards", { send } as unknown as DynamoDBClient);
    const ten = Array.from({ length: 10 }, (_, n) => `ten-${n}`);
    await cards.putCards(ten.map((externalId) => parcelled(externalId, "ten")));
    await counted.readRecords(ten.map((externalId) => ({ apiSet: green, externalId, parcel: "ten" })));
    expect(asked).toEqual([12]);
  });
});

test("a vendor cannot read another's card of the same ExternalID", async () => {
  await cards.putCards([stored("shared")]);
  expect((await cards.read(red, ["shared"])).size).toBe(0);
});

test.each(["a b", "a/b", 'quote"\\', "🏌️‍♀️ hole in one", "#", "x".repeat(256), "ÆØÅ".repeat(66)])(
  "the ExternalID %s is kept as it is, in every index",
  async (externalId) => {
    await cards.putCards([stored(externalId)]);
    await cards.putDeliveries([delivery(externalId, { state: "rejected" })]);
    expect((await cards.read(green, [externalId])).get(externalId)?.card?.externalId).toBe(externalId);
    const [record] = await cards.readRecords([{ apiSet: green, externalId }]);
    expect(record?.delivery?.state).toBe("rejected");
  },
);

test("250 cards are written and read in batches, in the order asked for", async () => {
  const many = Array.from({ length: 250 }, (_, n) => stored(`many-${n}`));
  await cards.putCards(many);
  const records = await cards.readRecords(
    many.map(({ apiSet, externalId }) => ({ apiSet, externalId })).reverse(),
  );
  expect(records.map(({ card }) => card?.externalId)).toEqual(
    many.map(({ externalId }) => externalId).reverse(),
  );
});

test("asked for twice in one call, a card is read once", async () => {
  await cards.putCards([stored("twice")]);
  expect((await cards.read(green, ["twice", "twice"])).size).toBe(1);
});

test("a vendor finds its cards in a state page by page, newest first, and only its own", async () => {
  const since = 1_700_000_000_000;
  const all = Array.from({ length: 7 }, (_, n) =>
    delivery(`u${n}`, { apiSet: red, state: "undelivered", since: since + n }),
  );
  await cards.putDeliveries([...all, delivery("other", { state: "undelivered" })]);
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await cards.inState(red, "undelivered", 3, after);
    expect(page.deliveries.length).toBeLessThanOrEqual(3);
    found.push(...page.deliveries.map(({ externalId }) => externalId));
    after = page.next;
  } while (after !== undefined);
  expect(found).toEqual(["u6", "u5", "u4", "u3", "u2", "u1", "u0"]);
});

test("a delivered card leaves the index by state", async () => {
  await cards.putDeliveries([delivery("leaves", { apiSet: red, state: "rejected" })]);
  await cards.putDeliveries([delivery("leaves", { apiSet: red, state: "delivered" })]);
  expect((await cards.inState(red, "rejected", 10)).deliveries).toEqual([]);
});

test("a full card is stored in less than one write unit of 1 KB", async () => {
  const holes = Array.from({ length: 18 }, (_, n) => ({
    Number: n + 1,
    Par: 3 + (n % 3),
    Index: ((n * 7) % 18) + 1,
    Length: 131 + n * 17,
    SPH: n % 2,
  }));
  const guid = () => crypto.randomUUID().toUpperCase();
  const card = {
    ID: guid(),
    CreateDateTime: "20260601T180500",
    ExternalID: "spring-open-2026-r1-0417",
    HCP: "158000",
    CourseHandicap: 16,
    PHCP: 15,
    Comment: "",
    Course: {
      CourseID: guid(),
      ClubID: guid(),
      ClubName: "Skovbakkens Golf Club",
      Name: "Parkbanen",
      Country: "DK",
      TeeID: guid(),
      TeeName: "Yellow 58",
      TeePar: 72,
      TeeRating: "718000",
      TeeSlope: 129,
      Holes: holes,
    },
    Round: {
      HolesPlayed: 18,
      RoundType: 2,
      StartTime: "20260601T090500",
      TournamentName: "Spring Open",
      TournamentRoundNumber: 1,
    },
    Result: {
      Strokes: holes.map(({ Par }) => Par + 1),
      Points: holes.map(() => 2),
      TotalPoints: 36,
      TotalStrokes: 90,
      NetDoubleBogeyGross: 90,
      IsQualifying: true,
    },
    Player: {
      FullName: "Mette Sørensen",
      HomeClubName: "Skovbakkens Golf Club",
      HomeClubCountry: "DK",
      LifeTimeID: "160575-026",
      UnionID: "1016-1234",
    },
    Marker: {
      FullName: "Lars Holm",
      HomeClubName: "Skovbakkens Golf Club",
      LifeTimeID: "010156-012",
      UnionID: "1016-100",
    },
  };
  const { packJson } = await import("../../../core/store/packed-json.ts");
  const attributes = 280;
  expect(packJson(card).byteLength + attributes).toBeLessThan(1024);
});
