import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { eventTypes, type WebhookEndpoint } from "../../../core/webhooks/endpoint.ts";
import type { WebhookEvent } from "../../../core/webhooks/event.ts";
import { feedReader, feedWriter } from "../../../core/webhooks/feed-table.ts";
import { type Replay, type ReplayDependencies, replayOutcomes } from "../../../core/webhooks/replay.ts";
import { day, hour } from "../../durations.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import { entryOf, feedsInMemory } from "./feed-world.ts";

const endpoint: WebhookEndpoint = {
  ...{ apiSet: green, id: "wh_1", version: 1, url: "https://green.example/hook", types: eventTypes },
  ...{ secrets: [], createdAt: start },
};

/** A vendor's cards, and its feed: each event is told at a time. */
function world() {
  const { client } = feedsInMemory();
  const cards: StoredCard[] = [];
  let changes = 0;
  async function tell(at: number, externalId: string, given: Partial<StoredCard> = {}): Promise<void> {
    const place = cards.findIndex((card) => card.externalId === externalId);
    cards.splice(
      place === -1 ? cards.length : place,
      1,
      storedCard(externalId, { state: "delivered", ...given }),
    );
    changes += 1;
    const writer = feedWriter(
      "activity",
      client(),
      90,
      () => at,
      async () => undefined,
    );
    await writer.append(green, "shard", [entryOf(changes, externalId, changes)]);
  }
  async function replay(asked: Partial<Replay> = {}, given: Partial<ReplayDependencies> = {}) {
    const sent: WebhookEvent[] = [];
    const answer = await replayOutcomes(
      {
        feed: feedReader("activity", client(), () => start),
        cards: {
          read: async (keys) =>
            cards.filter((card) => keys.some((key) => key.externalId === card.externalId)),
        },
        send: async (events) => void sent.push(...events),
        hasTime: () => true,
        ...given,
      },
      endpoint,
      { from: start - day, before: start, types: eventTypes, requestId: "request", ...asked },
    );
    return { ...answer, told: sent.flatMap(({ data }) => data.cards?.map(({ externalId }) => externalId)) };
  }
  return { tell, replay };
}

test("a replay tells again of each card that events told of in the time, however old the card", async () => {
  const { tell, replay } = world();
  await tell(start - 2 * day, "before", { acceptedAt: start - 3 * day });
  await tell(start - day - 1, "just before");
  await tell(start - day, "at its beginning");
  await tell(start - 2 * hour, "accepted a month ago", { acceptedAt: start - 30 * day });
  await tell(start - hour, "at its beginning", { version: 2 });
  await tell(start - 1, "at its end");
  await tell(start, "after");
  const { cards, told, next } = await replay();
  expect(told).toEqual(["at its beginning", "accepted a month ago", "at its end"]);
  expect([cards, next]).toEqual([3, undefined]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "of %i events in a feed those from a time on are found",
  async (count) => {
    const { tell, replay } = world();
    for (let n = 0; n < count; n++) await tell(start - count + n, `${n}`);
    for (let n = 0; n <= count; n++) {
      const { told } = await replay({ from: start - count + n });
      expect(told).toEqual(Array.from({ length: count - n }, (_, place) => `${n + place}`));
    }
  },
);

test("a time that began before the oldest event that is kept has the events that are", async () => {
  const { tell, replay } = world();
  // Kept for 90 days; DynamoDB removes what has expired within days.
  await tell(start - 91 * day, "expired, and not removed yet");
  await tell(start - 89 * day, "kept");
  expect((await replay({ from: start - 92 * day, before: start })).told).toEqual(["kept"]);
});

test("types that were not asked for are left out, and not counted", async () => {
  const { tell, replay } = world();
  await tell(start - hour, "delivered");
  await tell(start - hour, "withdrawn since", { state: "withdrawn" });
  expect(await replay({ types: ["scorecard.rejected"] })).toMatchObject({ cards: 0, told: [] });
  expect(await replay({ types: ["scorecard.delivered"] })).toMatchObject({ cards: 1, told: ["delivered"] });
});

test("when the time is over, the answer says where to go on, and nothing is told twice", async () => {
  const { tell, replay } = world();
  for (let n = 0; n < 250; n++) await tell(start - hour + n, `${n}`);
  const first = await replay({}, { hasTime: () => false });
  expect([first.cards, first.next]).toEqual([100, expect.anything()]);
  const rest = await replay({ after: first.next });
  expect([rest.cards, rest.next]).toEqual([150, undefined]);
  expect(new Set([...first.told, ...rest.told]).size).toBe(250);
});

test("a vendor of whom nothing was told has nothing to send again", async () => {
  expect(await world().replay()).toEqual({ cards: 0, next: undefined, told: [] });
});
