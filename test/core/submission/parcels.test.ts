import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { outgoingMessages } from "../../../core/delivery/outgoing-messages.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import { type AcceptedCard, inWholeParcels, parcelsOf } from "../../../core/submission/parcels.ts";

const contents = (count: number) => Array.from({ length: count }, (_, n) => `content ${n}`);

/** New cards of a submission with that many, and nothing else in it. */
function many(count: number, characters = 2): AcceptedCard[] {
  const parcels = parcelsOf(contents(count));
  return contents(count).map((revision, n) => {
    const about = { apiSet: "green" as ApiSet, externalId: String(n), revision, acceptedAt: 0 };
    return {
      outgoing: { queued: { ...about, card: "x".repeat(characters) }, delaySeconds: 0 },
      record: { ...about, contentHash: revision, content: contentOf({}) },
      parcel: parcels[n],
    };
  });
}
const names = (cards: readonly AcceptedCard[]) =>
  inWholeParcels(cards).map(({ outgoing }) => outgoing.queued.parcel);

test("cards of a submission are in parcels by their places, ten in each, but for one by itself", () => {
  const ids = parcelsOf(contents(21)).map((parcel) => parcel?.id);
  expect(new Set(ids.slice(0, 10)).size).toBe(1);
  expect(new Set(ids).size).toBe(3);
  expect(ids[20]).toBeUndefined();
});

test("the same cards are the same parcel, and others are another", () => {
  expect(parcelsOf(contents(12))).toEqual(parcelsOf(contents(12)));
  expect(parcelsOf(contents(3))[0]?.id).not.toBe(parcelsOf(contents(2))[0]?.id);
  expect(parcelsOf(contents(10).reverse())[0]?.id).not.toBe(parcelsOf(contents(10))[0]?.id);
});

test("those that are all there go in one message, which names their parcel", () => {
  const cards = inWholeParcels(many(12));
  expect(cards.map(({ outgoing }) => outgoing.queued.parcel)).toEqual(
    many(12).map(({ parcel }) => parcel?.id),
  );
  const messages = [...outgoingMessages(cards.map(({ outgoing }) => outgoing))];
  expect(messages.map(({ length }) => length)).toEqual([10, 2]);
});

test("no message names a parcel of which a card is missing, was stored before, or does not fit", () => {
  const none = [undefined, undefined];
  expect(names(many(3).slice(1))).toEqual(none);
  expect(names(many(2).map((card, n) => ({ ...card, parcel: n === 0 ? undefined : card.parcel })))).toEqual(
    none,
  );
  expect(names(many(2, 40_000))).toEqual(none);
});

test("no card is left out or altered", () => {
  const cards = many(25);
  expect(inWholeParcels(cards).map(({ record }) => record)).toEqual(cards.map(({ record }) => record));
});
