import { EventBridgeClient, type PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { Context } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import type { ApiSet } from "../../core/account/api-set.ts";
import type { Item } from "../../core/store/batch.ts";
import { parcelItem } from "../../core/store/parcel-items.ts";
import { deliveryItem } from "../../core/store/scorecard-items.ts";
import type { DeliveryRecord } from "../../core/store/scorecard-table.ts";

vi.stubEnv("EVENT_BUS", "outcomes");
const published: Record<string, unknown>[] = [];
/** Revisions whose events EventBridge does not take. */
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
const { handler } = await import("../../functions/publish-outcomes/handler.ts");

beforeEach(() => {
  refused = new Set();
  published.length = 0;
});

const apiSet = "green" as ApiSet;
const delivery = (given: Partial<DeliveryRecord>): Item =>
  deliveryItem(
    {
      apiSet,
      externalId: "417",
      revision: "r",
      state: "delivered",
      attempts: 1,
      aloneFailures: 0,
      since: Date.UTC(2026, 5, 1),
      ...given,
    },
    30,
  );

/** An item as the table's stream has it: binary values as Base64. */
const streamed = (item: Item) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
    ]),
  );

const handle = (...items: Item[]) =>
  handler(
    {
      Records: items.map((item, place) => ({
        dynamodb: { SequenceNumber: String(place), NewImage: streamed(item) },
      })),
    },
    {} as Context,
  );

test("the stream comes again from the first outcome that was not taken", async () => {
  refused = new Set(["r1", "r3"]);
  const items = ["r0", "r1", "r2", "r3"].map((revision) => delivery({ revision }));
  expect(await handle(...items)).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
});

test("a refusal is published with the exchange's status, which the table keeps packed, and without its words", async () => {
  const failure = { stage: "after", status: 422, message: "no such player" } as const;
  expect(await handle(delivery({ state: "rejected", failure }))).toEqual({ batchItemFailures: [] });
  expect(published).toMatchObject([{ outcome: "rejected", status: 422 }]);
  expect(JSON.stringify(published)).not.toContain("player");
});

test("a parcel that was delivered is an event for each of its cards", async () => {
  const cards = ["1", "2", "3"].map((externalId) => ({ externalId, revision: `r${externalId}` }));
  await handle(parcelItem({ apiSet, parcel: "p", cards, since: Date.UTC(2026, 5, 1) }, 30));
  expect(published.map(({ revision }) => revision)).toEqual(["r1", "r2", "r3"]);
});
