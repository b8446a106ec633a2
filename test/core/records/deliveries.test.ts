import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { type CardHappening, happened } from "../../../core/cards/life/happened.ts";
import { deliveredCards } from "../../../core/records/deliveries.ts";
import { red, start, storedCard } from "../memory/stored-card.ts";

const change = (card: StoredCard, before: StoredCard, sequenceNumber: string): CardHappening => ({
  card,
  before,
  sequenceNumber,
  events: happened(before, card),
});
const delivery = (name: string, given: Partial<StoredCard> = {}) =>
  change(
    storedCard(name, { state: "delivered", since: start + Number(name), ...given }),
    storedCard(name),
    name,
  );

test("the deliveries of a batch are listed by vendor, with the time of the last", () => {
  expect(deliveredCards([delivery("1"), delivery("2", { apiSet: red }), delivery("3")], 1)).toEqual([
    { apiSet: "green", since: start + 3, sequenceNumber: "1", externalIds: ["1", "3"] },
    { apiSet: "red", since: start + 2, sequenceNumber: "2", externalIds: ["2"] },
  ]);
});

test("what is no delivery, or is known as one, is not listed", () => {
  const { card } = delivery("1");
  const known = change({ ...card, playerUnknown: true }, card, "1");
  const sandbox = change(storedCard("sandbox:busy", { state: "delivered" }), storedCard("sandbox:busy"), "3");
  expect(deliveredCards([known, delivery("2", { state: "rejected" }), sandbox], 1)).toEqual([]);
});

test("a corrected card is listed again when it is delivered", () => {
  const { card } = delivery("1");
  const corrected = change({ ...card, version: 2 }, card, "1");
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
