import { readFileSync } from "node:fs";
import type { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { expect, test } from "vitest";
import * as z from "zod";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { type OutcomeEvent, outcomeSchema } from "../../../core/outcome/outcome-event.ts";
import { outcomeOf } from "../../../core/outcome/outcome-of-record.ts";
import { publishOutcomes } from "../../../core/outcome/publish.ts";
import type { DeliveryRecord } from "../../../core/store/scorecard-table.ts";

const record = (change: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  apiSet: "green" as ApiSet,
  externalId: "Karen Player 160575-026",
  revision: "r1",
  state: "delivered",
  attempts: 2,
  aloneFailures: 0,
  since: Date.UTC(2026, 5, 1, 12),
  ...change,
});

/** A bus that takes what its answer says, and remembers it. */
function bus(answer: (detail: OutcomeEvent) => "taken" | "refused" | "broken" = () => "taken") {
  const published: OutcomeEvent[] = [];
  const sizes: number[] = [];
  const send = async ({ input }: PutEventsCommand) => {
    const details = (input.Entries ?? []).map(({ Detail }) => JSON.parse(Detail ?? "") as OutcomeEvent);
    sizes.push(details.length);
    const said = details.map(answer);
    if (said.includes("broken")) throw new Error("EventBridge does not answer.");
    published.push(...details.filter((_, index) => said[index] === "taken"));
    return { Entries: said.map((one) => (one === "taken" ? { EventId: "1" } : { ErrorCode: "Throttled" })) };
  };
  return { client: { send } as unknown as Pick<EventBridgeClient, "send">, published, sizes };
}

const events = (count: number) =>
  Array.from({ length: count }, (_, place) => {
    const event = outcomeOf(record({ externalId: String(place), attempts: place }));
    if (event === undefined) throw new Error("A delivered card has an outcome.");
    return { event, place };
  });

test.each(["delivered", "rejected", "undelivered"] as const)(
  "a card that is %s is worth an event of the published form",
  (state) => {
    const failure = { stage: "after", status: 422, message: "Karen Player is unknown" } as const;
    const event = outcomeOf(record({ state, ...(state !== "delivered" && { failure }) }));
    expect(outcomeSchema.parse(event)).toMatchObject({ outcome: state, at: "2026-06-01T12:00:00.000Z" });
  },
);

test("a card that is tried again is worth none", () => {
  expect(outcomeOf(record({ state: "retrying" }))).toBeUndefined();
});

test("an event holds neither the card's name nor the exchange's words, which may name a player", () => {
  const failure = { stage: "after", status: 422, message: "Karen Player is unknown" } as const;
  expect(JSON.stringify(outcomeOf(record({ state: "rejected", failure })))).not.toMatch(/Karen|160575/);
});

test("events of one card are told from those of another, and of another vendor's", () => {
  const card = (change: Partial<DeliveryRecord>) => outcomeOf(record(change))?.card;
  expect(card({ state: "rejected" })).toBe(card({}));
  expect(card({ externalId: "2" })).not.toBe(card({}));
  expect(card({ apiSet: "red" as ApiSet })).not.toBe(card({}));
});

test("events go out ten a request", async () => {
  const { client, published, sizes } = bus();
  expect(await publishOutcomes(client, "outcomes", events(25))).toEqual([]);
  expect(sizes.sort()).toEqual([10, 10, 5]);
  expect(published).toHaveLength(25);
});

test("what the bus does not take, or a request that breaks, is said, and the rest is published", async () => {
  const { client, published } = bus(({ attempts }) =>
    attempts === 3 ? "refused" : attempts === 14 ? "broken" : "taken",
  );
  const refused = await publishOutcomes(client, "outcomes", events(25));
  expect(refused.map(({ place }) => place)).toEqual([3, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(published).toHaveLength(14);
});

test("the documented schema is the one that events have", () => {
  const documented = readFileSync("docs/events.md", "utf8")
    .split("## Schema")[1]
    ?.match(/```json\n(.*)```/s)?.[1];
  expect(JSON.parse(documented ?? "")).toEqual(z.toJSONSchema(outcomeSchema));
});
