import { randomUUID } from "node:crypto";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEngine } from "../core/aws/engine.ts";
import { describeOnEachEngine } from "./dynamodb-engines.ts";

const firstDay = "2026-05-01";
const days = [firstDay, "2026-05-02", "2026-06", "2026-06-01", "2026-06-010", "ø", "é", "𝔸", "~"];
const players = ["a", "b", "ab"];

/** Conditions of the sort key, and what they mean for a day. */
const conditions: Readonly<Record<string, (day: string, other: string) => boolean>> = {
  "#day = :day": (day, other) => day === other,
  "#day < :day": (day, other) => bytesOf(day) < bytesOf(other),
  "#day <= :day": (day, other) => bytesOf(day) <= bytesOf(other),
  "#day > :day": (day, other) => bytesOf(day) > bytesOf(other),
  "#day >= :day": (day, other) => bytesOf(day) >= bytesOf(other),
  "begins_with(#day, :day)": (day, other) => day.startsWith(other),
  "#day BETWEEN :first AND :day": (day, other) => bytesOf(day) <= bytesOf(other),
};

/** DynamoDB sorts texts by the bytes of their UTF-8. */
const bytesOf = (text: string) => Buffer.from(text).toString("hex");

await describeOnEachEngine("a range of items", (engine) => {
  let client: DynamoDBClient;
  let stop: () => Promise<void>;
  const TableName = `ranges-${randomUUID()}`;
  const itemOf = (player: string, day: string) => ({
    player: { S: player },
    day: { S: day },
    list: { S: "l" },
  });
  const cards = players.flatMap((player) => days.map((day) => ({ player, day })));

  beforeAll(async () => {
    const running = await startEngine(engine.start);
    ({ client, stop } = running);
    await running.createTable({
      TableName,
      AttributeDefinitions: ["player", "day", "list"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      KeySchema: [
        { AttributeName: "player", KeyType: "HASH" },
        { AttributeName: "day", KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byList",
          KeySchema: [
            { AttributeName: "list", KeyType: "HASH" },
            { AttributeName: "day", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
    });
    for (const player of players) {
      const own = cards.filter((card) => card.player === player);
      const puts = own.map(({ day }) => ({ PutRequest: { Item: itemOf(player, day) } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
    }
  });
  afterAll(() => stop());

  /** All pages of a query, the days only. */
  async function daysOf(query: Partial<QueryCommandInput>): Promise<string[]> {
    const found: string[] = [];
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const page = await client.send(new QueryCommand({ TableName, ...query, ExclusiveStartKey }));
      found.push(...(page.Items ?? []).map(({ day }) => day?.S ?? ""));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return found;
  }

  test("has those that meet the condition, in order, from either end, in pages of any size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(conditions)),
        fc.constantFrom(...players),
        fc.constantFrom(...days),
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        async (condition, player, day, ScanIndexForward, Limit) => {
          const expected = cards
            .filter((card) => card.player === player && conditions[condition]?.(card.day, day))
            .map((card) => card.day)
            .toSorted((one, other) => (bytesOf(one) < bytesOf(other) ? -1 : 1));
          const found = await daysOf({
            KeyConditionExpression: `player = :player AND ${condition}`,
            ExpressionAttributeNames: { "#day": "day" },
            ExpressionAttributeValues: {
              ":player": { S: player },
              ":day": { S: day },
              ...(condition.includes(":first") && { ":first": { S: firstDay } }),
            },
            ScanIndexForward,
            Limit,
          });
          expect(found).toEqual(ScanIndexForward ? expected : expected.toReversed());
        },
      ),
      { numRuns: 60 },
    );
  });

  test("of an index has the items of all players, also in pages", async () => {
    const query = {
      IndexName: "byList",
      KeyConditionExpression: "#list = :list AND #day >= :day",
      ExpressionAttributeNames: { "#list": "list", "#day": "day" },
      ExpressionAttributeValues: { ":list": { S: "l" }, ":day": { S: "2026-06" } },
    };
    const expected = cards
      .filter(({ day }) => bytesOf(day) >= bytesOf("2026-06"))
      .map(({ day }) => day)
      .toSorted((one, other) => (bytesOf(one) < bytesOf(other) ? -1 : 1));
    expect(await daysOf(query)).toEqual(expected);
    expect((await daysOf({ ...query, Limit: 2 })).toSorted()).toEqual(expected.toSorted());
  });

  test("no longer has an item that was deleted, and has one that was written again", async () => {
    const { player, day } = { player: "deleted", day: "2026-05-01" };
    const query = {
      KeyConditionExpression: "player = :player",
      ExpressionAttributeValues: { ":player": { S: player } },
    };
    const Key = { player: { S: player }, day: { S: day } };
    for (const written of ["2026-05-01", "2026-05-02"]) {
      await client.send(new PutItemCommand({ TableName, Item: itemOf(player, written) }));
    }
    await client.send(new DeleteItemCommand({ TableName, Key }));
    expect(await daysOf(query)).toEqual(["2026-05-02"]);
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    expect(Items.filter((item) => item.player?.S === player)).toHaveLength(1);
    await client.send(new PutItemCommand({ TableName, Item: itemOf(player, day) }));
    expect(await daysOf(query)).toEqual(["2026-05-01", "2026-05-02"]);
  });
});
