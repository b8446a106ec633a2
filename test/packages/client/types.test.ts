import { expectTypeOf, test } from "vitest";
import {
  type CardStatus,
  createClient,
  type Scorecard,
  type SubmissionEntry,
  verifyWebhook,
  type WebhookEvent,
} from "../../../packages/client/index.ts";

const client = () => createClient({ api: "https://host/test", username: "greens", password: "secret" });

// These are checked by `tsc`, as every test is. Nothing here is called.

test("the smallest card of the union is a Scorecard, also if nothing of it can be changed", () => {
  const card = {
    CreateDateTime: "20260601T120000",
    ExternalID: "417",
    HCP: "158000",
    CourseHandicap: 20,
    Course: { TeeID: "BFE01603-9F66-5724-83DD-7E850840E082" },
    Marker: { UnionID: "1016-100" },
    Result: { Strokes: [6, 4, 5], IsQualifying: true },
    Round: { HolesPlayed: 18, RoundType: 1, StartTime: "20260601T080000" },
    Player: { UnionID: "32-1" },
  } as const;
  expectTypeOf(client().submit).toBeCallableWith([card]);
  expectTypeOf(client().submit).toBeCallableWith(new Set([card]));
  expectTypeOf(client().submit).toBeCallableWith(["{}"]);
});

test("a misspelt field, a missing one and a wrong type are errors", () => {
  const round: Scorecard["Round"] = { HolesPlayed: 18, RoundType: 1, StartTime: "20260601T080000" };
  // @ts-expect-error TS finds the misspelt name.
  const misspelt: Scorecard["Round"] = { ...round, Startime: "20260601T080000" };
  // @ts-expect-error TS misses the field.
  const missing: Scorecard["Round"] = { HolesPlayed: 18, RoundType: 1 };
  // @ts-expect-error TS knows the two types of rounds.
  const wrong: Scorecard["Round"] = { ...round, RoundType: 3 };
  expectTypeOf([misspelt, missing, wrong]).toEqualTypeOf<Scorecard["Round"][]>();
});

test("an entry has either the card or its errors", () => {
  const read = (entry: SubmissionEntry) => (entry.status === 201 ? entry.card : entry.errors);
  // @ts-expect-error A refused card has no `card`.
  const unread = (entry: SubmissionEntry) => entry.card;
  expectTypeOf(read).returns.not.toBeAny();
  expectTypeOf(unread).toBeFunction();
});

test("cards of days need the first day, activity needs none", () => {
  expectTypeOf(client().cardsOfDays).toBeCallableWith({ from: "2026-07-04" });
  expectTypeOf(client().activity).toBeCallableWith();
  expectTypeOf(client().activity).returns.resolves.toHaveProperty("totals");
  // @ts-expect-error TS misses the first day.
  const unread = () => client().cardsOfDays({ to: "2026-07-04" });
  expectTypeOf(unread).toBeFunction();
});

test("only a new webhook endpoint has a secret", () => {
  expectTypeOf(client().createWebhook).toBeCallableWith({ url: "https://scores.example/" });
  expectTypeOf(client().createWebhook).returns.resolves.toHaveProperty("secret").toBeString();
  expectTypeOf(client().webhooks).returns.resolves.items.not.toHaveProperty("secret");
});

test("followed cards come one by one", () => {
  expectTypeOf(client().follow(["417"])).toExtend<AsyncIterable<CardStatus>>();
  expectTypeOf(client().clubs).returns.resolves.items.toHaveProperty("UnionNumber");
});

test("an event's type says what its data has", () => {
  const read = (event: WebhookEvent) => {
    if (event.type === "scorecard.delivered") return event.data.cards.map(({ externalId }) => externalId);
    if (event.type === "scorecards.unsent") return event.data.unsent.cards;
    // @ts-expect-error A pause has no cards.
    if (event.type === "delivery.paused") return event.data.cards;
    return undefined;
  };
  expectTypeOf(verifyWebhook).returns.resolves.toEqualTypeOf<WebhookEvent>();
  expectTypeOf(read).toBeFunction();
});
