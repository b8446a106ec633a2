import type { BatchWriteItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { Item } from "../../../core/store/batch.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import { redriveTable } from "../../../core/store/redrives.ts";
import { scorecardWriter } from "../../../core/store/scorecards.ts";

const apiSet = "green" as ApiSet;
const key = { apiSet, externalId: "417" };
const at = Date.parse("2026-06-01T12:00:00Z");

/** A client that takes every item, and what it took, with the time until which each is kept. */
function taking() {
  const items: Item[] = [];
  const send = async ({ input }: BatchWriteItemCommand) => {
    for (const { PutRequest } of Object.values(input.RequestItems ?? {}).flat()) {
      if (PutRequest?.Item !== undefined) items.push(PutRequest.Item);
    }
    return {};
  };
  const kept = () =>
    items.map(({ item, expiresAt }) => [item?.S, new Date(Number(expiresAt?.N) * 1000).toISOString()]);
  return { client: { send } as unknown as DynamoDBClient, kept };
}

test("whatever is stored of a card is kept for as long as players' cards are, and no longer", async () => {
  const { client, kept } = taking();
  const table = scorecardWriter("cards", client, 30);
  await table.putCards([{ ...key, revision: "r", contentHash: "h", acceptedAt: at, content: contentOf({}) }]);
  await table.putDeliveries([
    { ...key, revision: "r", state: "delivered", attempts: 1, aloneFailures: 0, since: at },
  ]);
  await table.putParcels([{ apiSet, parcel: "p", cards: [], since: at }]);
  await table.openParcels([{ apiSet, parcel: "p" }], at);
  const items = ["card", "delivery", "parcel", "opened"];
  expect(kept()).toEqual(items.map((item) => [item, "2026-07-01T12:00:00.000Z"]));
});

test("a note of a card sent on again is kept for as long as its message may be in the queue", async () => {
  const { client, kept } = taking();
  await redriveTable("cards", client).put([{ ...key, revision: "r", at }]);
  expect(kept()).toEqual([["redrive", "2026-06-15T12:00:00.000Z"]]);
});
