import { expect, test } from "vitest";
import { recordMismatches } from "../../../local/sample/record-mismatches.ts";

const card = (ExternalID: string, TotalStrokes = 80) => ({ ExternalID, Result: { TotalStrokes } });
const result = {
  acceptedCards: [
    { apiSet: "greens", state: "delivered" as const, card: card("a") },
    { apiSet: "greens", state: "delivered" as const, card: card("b") },
  ],
  // The later card with the ExternalID b was refused.
  refusedExternalIds: ["b", "c"],
};
const received = [
  { apiSet: "greens", card: card("b") },
  { apiSet: "greens", card: card("a") },
];

test("a union that received every accepted card, in any order and some twice, agrees", () => {
  const again = { apiSet: "greens", card: card("a") };
  const elsewhere = { apiSet: "other", card: card("a", 99) };
  expect(recordMismatches([...received, again, elsewhere], result)).toEqual([]);
});

test("a delivered card that the union never received is missing", () => {
  expect(recordMismatches(received.slice(0, 1), result)).toEqual([
    { apiSet: "greens", externalId: "a", kind: "missing" },
  ]);
});

test.each(["queued", "retrying", "rejected", undefined] as const)(
  "an accepted card that is %s need not be there",
  (state) => {
    const acceptedCards = result.acceptedCards.map((accepted) => ({ ...accepted, state }));
    expect(recordMismatches(received.slice(0, 1), { ...result, acceptedCards })).toEqual([]);
  },
);

test("an accepted card of which one copy differs is altered", () => {
  const copy = { apiSet: "greens", card: card("a", 81) };
  expect(recordMismatches([...received, copy], result)).toEqual([
    { apiSet: "greens", externalId: "a", kind: "altered" },
  ]);
});

test("the refused content of a repeated ExternalID is told when the union received it", () => {
  const refused = { apiSet: "greens", card: card("b", 90) };
  expect(recordMismatches([...received, refused], result)).toMatchObject([
    { externalId: "b", kind: "altered" },
  ]);
});

test("a refused card that the union received all the same is told", () => {
  expect(recordMismatches([...received, { apiSet: "greens", card: card("c") }], result)).toEqual([
    { apiSet: "greens", externalId: "c", kind: "refused_but_received" },
  ]);
});
