import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/cards/card.ts";
import { eventTypes, type WebhookEndpoint } from "../../../core/webhooks/endpoint.ts";
import type { WebhookEvent } from "../../../core/webhooks/event.ts";
import { type Replay, type ReplayDependencies, replayOutcomes } from "../../../core/webhooks/replay.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** Cards are given up after two days. */
const lastOutcomeAfter = 3 * day;
const endpoint: WebhookEndpoint = {
  ...{ apiSet: green, id: "wh_1", version: 1, url: "https://green.example/hook", types: eventTypes },
  ...{ secrets: [], createdAt: start },
};

/** Replays outcomes of cards, which are listed a page at a time by the day of their acceptance, UTC. */
async function replay(
  cards: readonly StoredCard[],
  asked: Partial<Replay> = {},
  given: Partial<ReplayDependencies> & { readonly cardsOfPage?: number } = {},
) {
  const { cardsOfPage = 100, ...others } = given;
  const sent: WebhookEvent[] = [];
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const answer = await replayOutcomes(
    {
      activity: {
        async cards(_apiSet, { from, to }, _limit, after) {
          const accepted = cards.filter(
            ({ acceptedAt }) => dayOf(acceptedAt) >= from && dayOf(acceptedAt) <= to,
          );
          const first = after?.cards ?? 0;
          const end = first + cardsOfPage;
          return {
            externalIds: accepted.slice(first, end).map(({ externalId }) => externalId),
            ...(end < accepted.length && { next: { item: "list", cards: end } }),
          };
        },
      },
      cards: {
        read: async (keys) =>
          cards.filter((card) => keys.some(({ externalId }) => externalId === card.externalId)),
      },
      timeZone: "UTC",
      lastOutcomeAfter,
      send: async (events) => void sent.push(...events),
      hasTime: () => true,
      ...others,
    },
    endpoint,
    { from: start - day, before: start, types: eventTypes, requestId: "request", ...asked },
  );
  return { ...answer, told: sent.flatMap(({ data }) => data.cards?.map(({ externalId }) => externalId)) };
}

const outcome = (externalId: string, acceptedAt: number, since: number, more: Partial<StoredCard> = {}) =>
  storedCard(externalId, { state: "delivered", acceptedAt, since, ...more });

test("a card that was given up two days after its acceptance is told of again", async () => {
  const { cards, told } = await replay([
    outcome("given up", start - 2.9 * day, start - 0.9 * day, { state: "undelivered" }),
    outcome("of the time", start - hour, start - hour / 2),
    outcome("before the time", start - 2.9 * day, start - 2 * day),
    outcome("after the time", start - hour, start + 1),
  ]);
  expect({ cards, told }).toEqual({ cards: 2, told: ["given up", "of the time"] });
});

test("a card whose record was looked at in the time is told of again", async () => {
  const record = { at: start - hour, isRecorded: true };
  const { told } = await replay([outcome("recorded", start - 2 * day, start - 2 * day, { record })]);
  expect(new Set(told)).toEqual(new Set(["recorded"]));
});

test("types that were not asked for are left out, and not counted", async () => {
  const cards = [outcome("a", start - hour, start - hour)];
  expect(await replay(cards, { types: ["scorecard.rejected"] })).toMatchObject({ cards: 0, told: [] });
});

test("when the time is over, the answer says where to go on, and nothing is told twice", async () => {
  const cards = Array.from({ length: 5 }, (_, n) => outcome(`${n}`, start - hour, start - hour));
  const first = await replay(cards, {}, { cardsOfPage: 2, hasTime: () => false });
  expect(first).toMatchObject({ cards: 2, next: { cards: 2 } });
  const rest = await replay(cards, { after: first.next }, { cardsOfPage: 2 });
  expect(rest).toMatchObject({ cards: 3, next: undefined });
  expect([...first.told, ...rest.told]).toEqual(["0", "1", "2", "3", "4"]);
});
