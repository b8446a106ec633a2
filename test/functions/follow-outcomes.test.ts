import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, type PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { Context } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import type { Item } from "../../core/aws/batch.ts";
import { packText } from "../../core/aws/packed-json.ts";

vi.stubEnv("EVENT_BUS", "outcomes");
vi.stubEnv("ACTIVITY_TABLE", "activity");
vi.stubEnv("WEBHOOK_TABLE", "webhooks");
vi.stubEnv("WEBHOOK_QUEUE_URL", "https://queue.example/webhooks");
vi.stubEnv("ACTIVITY_RETENTION_DAYS", "400");
vi.stubEnv("TIME_ZONE", "Europe/Copenhagen");
const published: Record<string, unknown>[] = [];
/** Versions whose events EventBridge does not take. */
let refused = new Set<string>();
vi.spyOn(EventBridgeClient.prototype, "send").mockImplementation(async (command: unknown) => {
  const { Entries: entries = [] } = (command as PutEventsCommand).input;
  return {
    Entries: entries.map(({ Detail = "{}" }) => {
      const detail = JSON.parse(Detail) as Record<string, unknown>;
      if (refused.has(String(detail.revision))) return { ErrorCode: "ThrottlingException" };
      published.push(detail);
      return { EventId: "an-id" };
    }),
  };
});
/** What was written of activity. */
const written: Record<string, unknown>[] = [];
vi.spyOn(DynamoDBClient.prototype, "send").mockImplementation(async (command: unknown) => {
  written.push((command as { input: Record<string, unknown> }).input);
  return {};
});
const { handler } = await import("../../functions/follow-outcomes/handler.ts");

beforeEach(() => {
  refused = new Set();
  published.length = 0;
  written.length = 0;
});

/** A card's item in the table. */
const item = (given: Item = {}): Item => ({
  id: { S: "green#417" },
  version: { N: "1" },
  state: { S: "delivered" },
  since: { N: String(Date.UTC(2026, 5, 1)) },
  attempts: { N: "1" },
  content: { B: packText('{"Player":{"FullName":"Karen Player"}}') },
  ...given,
});

/** An item as the table's stream has it: binary values as Base64. */
const streamed = (item: Item) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
    ]),
  );

/** A change of an item: what it is now, and what it was, if it was there. */
type Change = readonly [now: Item, before?: Item];

const handle = (...changes: readonly Change[]) =>
  handler(
    {
      shardId: "shardId-1",
      Records: changes.map(([now, before], place) => ({
        dynamodb: {
          SequenceNumber: String(place),
          NewImage: streamed(now),
          ...(before !== undefined && { OldImage: streamed(before) }),
        },
      })),
    },
    {} as Context,
  );

test("the stream comes again from the first outcome that was not taken", async () => {
  refused = new Set(["1", "3"]);
  const changes = ["0", "1", "2", "3"].map((N): Change => [item({ version: { N } })]);
  expect(await handle(...changes)).toEqual({ state: {}, batchItemFailures: [{ itemIdentifier: "1" }] });
});

test("a refusal is published with the exchange's status, and without its words or the card's content", async () => {
  const failure = { phase: "after", status: 422, message: "no such player" };
  const rejected = item({ state: { S: "rejected" }, failure: { S: JSON.stringify(failure) } });
  expect(await handle([rejected])).toEqual({ state: {}, batchItemFailures: [] });
  expect(published).toMatchObject([{ outcome: "rejected", status: 422 }]);
  expect(JSON.stringify(published)).not.toMatch(/player|Karen|417/i);
});

test("a card that was stored, and one whose outcome stays the same, is not published", async () => {
  const queued = item({ state: { S: "queued" } });
  await handle([queued], [item({ maybeAtExchange: { N: "1" } }), item()]);
  expect(published).toEqual([]);
  await handle([item(), queued]);
  expect(published).toMatchObject([{ outcome: "delivered" }]);
});

test("a vendor's breaker is no card, and is not published", async () => {
  expect(await handle([{ id: { S: "green" }, version: { N: "3" } }])).toEqual({
    state: {},
    batchItemFailures: [],
  });
  expect(published).toEqual([]);
});

test("a change that comes again, since its event was not taken, is counted and listed then", async () => {
  refused = new Set(["1"]);
  const card = (id: string, version: string): Change => [item({ id: { S: id }, version: { N: version } })];
  await handle(card("green#1", "0"), card("green#2", "1"), card("green#3", "2"));
  const texts = JSON.stringify(written);
  expect(texts).toContain('\\"1\\"');
  expect(texts).not.toMatch(/\\"[23]\\"/);
  expect(written.find(({ UpdateExpression }) => UpdateExpression)).toMatchObject({
    ExpressionAttributeNames: expect.objectContaining({ "#shard": "counted shardId-1" }),
    ExpressionAttributeValues: expect.objectContaining({ ":last": { S: "0".repeat(40) } }),
  });
});

test("the end of a tumbling window, which has no records, is taken", async () => {
  expect(await handle()).toEqual({ state: {}, batchItemFailures: [] });
  expect(written).toEqual([]);
});
