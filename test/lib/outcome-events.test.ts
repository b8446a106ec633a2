import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import type { ApiSet } from "../../core/account/api-set.ts";
import { outcomeOf } from "../../core/outcome/outcome-of-record.ts";
import type { Item } from "../../core/store/batch.ts";
import { contentOf } from "../../core/store/card-content.ts";
import { openedItem, parcelItem, recordedDeliveries } from "../../core/store/parcel-items.ts";
import { cardItem, deliveryItem } from "../../core/store/scorecard-items.ts";
import type { DeliveryRecord } from "../../core/store/scorecard-table.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";

const apiSet = "green" as ApiSet;
const delivery = (state: DeliveryRecord["state"]): DeliveryRecord => ({
  apiSet,
  externalId: "1",
  revision: "r1",
  state,
  attempts: 1,
  aloneFailures: 0,
  since: 0,
});
const cards = ["1", "2"].map((externalId) => ({ externalId, revision: `r${externalId}` }));
const parcel = parcelItem({ apiSet, parcel: "p", cards, since: 0 }, undefined);
const card = { apiSet, externalId: "1", revision: "r1", contentHash: "r1", acceptedAt: 0 };

/** Whether a pattern of an event source lets an event through: each of its lists has one of the event's values. */
function matches(pattern: unknown, value: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.includes(value);
  return Object.entries(pattern as object).every(([name, inner]) =>
    matches(inner, (value as Record<string, unknown> | undefined)?.[name]),
  );
}

/** Whether what is written to the table is handed over to the function that publishes outcomes. */
function handsOver() {
  const given = { ...settings.production, outcomeEvents: true };
  const stack = new PipelineStack(new App(), "pipeline", { settings: given });
  const sources = Template.fromStack(stack).findResources("AWS::Lambda::EventSourceMapping");
  const patterns = Object.values(sources).flatMap(({ Properties }) =>
    (Properties.FilterCriteria?.Filters ?? []).map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
  );
  return (NewImage: Item) =>
    patterns.some((pattern) => matches(pattern, { eventName: "INSERT", dynamodb: { NewImage } }));
}

test("outcomes are handed over to be published, of single cards and of whole parcels, and nothing else is", () => {
  const isHandedOver = handsOver();
  for (const state of ["delivered", "rejected", "undelivered"] as const) {
    expect(isHandedOver(deliveryItem(delivery(state), 30))).toBe(true);
  }
  expect(isHandedOver(parcel)).toBe(true);
  expect(isHandedOver(deliveryItem(delivery("retrying"), 30))).toBe(false);
  expect(isHandedOver(openedItem({ apiSet, parcel: "p" }, 0, 30))).toBe(false);
  expect(isHandedOver(cardItem({ ...card, content: contentOf({}) }, 30))).toBe(false);
});

test("a whole parcel is worth an event of each of its cards, as its delivery would have been", () => {
  const events = recordedDeliveries(parcel).map(outcomeOf);
  expect(events).toMatchObject([{ revision: "r1" }, { revision: "r2" }]);
  expect(events[0]).toEqual(outcomeOf(delivery("delivered")));
});
