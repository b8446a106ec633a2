import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/cards/card.ts";
import { deliveredCards } from "../../../core/records/deliveries.ts";
import { red, start, storedCard } from "../memory/stored-card.ts";

const delivery = (name: string, given: Partial<StoredCard> = {}) => ({
  card: storedCard(name, { state: "delivered", since: start + Number(name), ...given }),
  before: storedCard(name),
  sequenceNumber: name,
});

test("the deliveries of a batch are listed by vendor, with the time of the last", () => {
  expect(deliveredCards([delivery("1"), delivery("2", { apiSet: red }), delivery("3")], 1)).toEqual([
    { apiSet: "green", since: start + 3, sequenceNumber: "1", externalIds: ["1", "3"] },
    { apiSet: "red", since: start + 2, sequenceNumber: "2", externalIds: ["2"] },
  ]);
});

test("what is no delivery, or is known as one, is not listed", () => {
  const { card } = delivery("1");
  const known = { card: { ...card, playerUnknown: true }, before: card, sequenceNumber: "1" };
  expect(deliveredCards([known, delivery("2", { state: "rejected" })], 1)).toEqual([]);
});

test("a corrected card is listed again when it is delivered", () => {
  const { card } = delivery("1");
  const corrected = { card: { ...card, version: 2 }, before: card, sequenceNumber: "1" };
  expect(deliveredCards([corrected], 1)).toHaveLength(1);
});

test("the share of the cards is kept to, and a card is always in it or never", () => {
  const all = Array.from({ length: 10_000 }, (_, place) => delivery(String(place)));
  const listed = (share: number) => deliveredCards(all, share).flatMap(({ externalIds }) => externalIds);
  const tenth = listed(0.1);
  expect(tenth.length / all.length).toBeCloseTo(0.1, 1);
  expect(listed(0.1)).toEqual(tenth);
  expect(listed(0.3)).toEqual(expect.arrayContaining(tenth));
  expect(listed(0)).toEqual([]);
  expect(listed(1)).toHaveLength(all.length);
});
