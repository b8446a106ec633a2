import { readFileSync } from "node:fs";
import type { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { expect, test } from "vitest";
import * as z from "zod";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { happened } from "../../../core/cards/life/happened.ts";
import {
  detailTypeOf,
  type OutcomeEvent,
  outcomeEvents,
  outcomeSchema,
} from "../../../core/views/outcome-event.ts";
import { publishOutcomes } from "../../../core/views/publish.ts";
import { red, start, storedCard } from "../memory/stored-card.ts";

/** The event of a change, if it is one. */
function outcomeOf(card: StoredCard, before: StoredCard | undefined): OutcomeEvent | undefined {
  const [event, ...others] = outcomeEvents({ card, before, events: happened(before, card) });
  expect(others).toEqual([]);
  return event;
}

const name = "Karen Player 160575-026";
const card = (given: Partial<StoredCard> = {}) =>
  storedCard(name, { state: "delivered", attempts: 2, since: start, ...given });
const failure = { phase: "after", status: 422, message: "Karen Player is unknown" } as const;

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
    const event = outcomeOf(storedCard(String(place), { state: "delivered", attempts: place }), undefined);
    if (event === undefined) throw new Error("A delivered card has an outcome.");
    return event;
  });

test.each(["delivered", "rejected", "undelivered"] as const)(
  "a card that becomes %s is an event of the published form",
  (state) => {
    const event = outcomeOf(
      card({ state, ...(state !== "delivered" && { failure }) }),
      card({ state: "retrying" }),
    );
    expect(outcomeSchema.parse(event)).toMatchObject({
      outcome: state,
      revision: "1",
      attempts: 2,
      at: "2026-06-01T12:00:00.000Z",
    });
  },
);

test.each([
  [true, "Scorecard recorded", { recorded: true }],
  [false, "Scorecard warning", { warning: "not_recorded" }],
] as const)(
  "whether a card is in the player's record (%s) is an event of its own, with the time at which that was found",
  (isRecorded, detailType, found) => {
    const checked = card({ record: { at: start + 60_000, isRecorded } });
    const event = outcomeOf(checked, card());
    expect(outcomeSchema.parse(event)).toMatchObject({
      outcome: "delivered",
      at: "2026-06-01T12:01:00.000Z",
      ...found,
    });
    expect(event && detailTypeOf(event)).toBe(detailType);
    expect(outcomeOf({ ...checked, maybeAtExchange: 1 }, checked)).toBeUndefined();
  },
);

test("the outcome of a correction is an event, though the original had the same", () => {
  expect(outcomeOf(card({ version: 2 }), card())).toMatchObject({ revision: "2", outcome: "delivered" });
});

test("an event holds neither the card's name nor the exchange's words, which may name a player", () => {
  expect(JSON.stringify(outcomeOf(card({ state: "rejected", failure }), undefined))).not.toMatch(
    /Karen|160575/,
  );
});

test("events of one card are told from those of another, and of another vendor's", () => {
  const named = (given: Partial<StoredCard>) => outcomeOf(card(given), undefined)?.card;
  expect(named({ state: "rejected" })).toBe(named({}));
  expect(named({ externalId: "2" })).not.toBe(named({}));
  expect(named({ apiSet: red })).not.toBe(named({}));
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
  expect(refused.map(({ attempts }) => attempts)).toEqual([3, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(published).toHaveLength(14);
});

test("docs/events.md has each field of an event, with what the schema says of it", () => {
  const rows = readFileSync("docs/events.md", "utf8").matchAll(
    /^\| `(\w+)` \| (always|if known) \| (.+) \|$/gm,
  );
  const { properties, required } = z.toJSONSchema(outcomeSchema);
  const described = Object.entries(properties ?? {}).map(([field, schema]) => [
    field,
    required?.includes(field) ? "always" : "if known",
    typeof schema === "object" && schema.description,
  ]);
  expect(Array.from(rows, ([, ...cells]) => cells)).toEqual(described);
});
