import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { QueuedCard } from "../../../core/delivery/message.ts";
import { type OutgoingCard, outgoingMessages } from "../../../core/delivery/outgoing-messages.ts";

const outgoing = (externalId: string, given: Partial<QueuedCard> = {}, delaySeconds = 0): OutgoingCard => ({
  queued: {
    apiSet: "green" as ApiSet,
    externalId,
    revision: "first",
    acceptedAt: 0,
    requestId: "request",
    card: "{}",
    ...given,
  },
  delaySeconds,
});
const many = (count: number, characters = 2) =>
  Array.from({ length: count }, (_, n) => outgoing(`card ${n}`, { card: "x".repeat(characters) }));
const sizes = (cards: readonly OutgoingCard[]) => [...outgoingMessages(cards)].map(({ length }) => length);

test("cards of a submission share messages, ten in each", () => {
  expect(sizes([])).toEqual([]);
  expect(sizes(many(1))).toEqual([1]);
  expect(sizes(many(25))).toEqual([10, 10, 5]);
});

test("large cards share a message only as far as it is no more to deliver than one of the largest", () => {
  expect(sizes(many(5, 20_000))).toEqual([3, 2]);
  expect(sizes(many(3, 200_000))).toEqual([1, 1, 1]);
  expect(sizes([...many(2, 200_000), ...many(3)])).toEqual([1, 1, 3]);
});

test.each([
  ["another vendor's", outgoing("other", { apiSet: "red" as ApiSet })],
  ["one of another submission", outgoing("other", { requestId: "another" })],
  ["one of another parcel", outgoing("other", { parcel: "another" })],
  ["one accepted at another time", outgoing("other", { acceptedAt: 1 })],
  ["a correction that has to wait", outgoing("other", {}, 30)],
])("%s does not share theirs", (_, other) => {
  expect(sizes([...many(2), other, ...many(2)])).toEqual([2, 1, 2]);
});

test("whatever the cards are, each is in exactly one message, in their order, with none that differs", () => {
  const cards = fc.array(
    fc.record({
      apiSet: fc.constantFrom("green" as ApiSet, "red" as ApiSet),
      acceptedAt: fc.constantFrom(0, 1),
      characters: fc.integer({ min: 2, max: 100_000 }),
      delaySeconds: fc.constantFrom(0, 30),
    }),
  );
  fc.assert(
    fc.property(cards, (drawn) => {
      const all = drawn.map(({ apiSet, acceptedAt, characters, delaySeconds }, n) =>
        outgoing(`${n}`, { apiSet, acceptedAt, card: "x".repeat(characters) }, delaySeconds),
      );
      const messages = [...outgoingMessages(all)];
      expect(messages.flat()).toEqual(all);
      for (const message of messages) {
        const alike = message.map(({ queued, delaySeconds }) =>
          JSON.stringify([queued.apiSet, queued.acceptedAt, delaySeconds]),
        );
        expect(new Set(alike).size).toBe(1);
        const characters = message.reduce((sum, { queued }) => sum + queued.card.length, 0);
        expect(message.length === 1 || characters <= 65_536).toBe(true);
      }
    }),
  );
});
