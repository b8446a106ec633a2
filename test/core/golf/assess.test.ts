import { describe, expect, test } from "vitest";
import { assessSubmission } from "../../../core/golf/assess.ts";
import {
  accepted,
  assess,
  cardAbroad,
  context,
  faultsOf,
  fullCard,
  type Json,
  minimalCard,
  short,
} from "./sample-cards.ts";

const startingAt = (StartTime: string, card: Json = minimalCard()) => ({
  ...card,
  Round: { ...card.Round, StartTime },
});

describe("start of a round in the future", () => {
  test("today ends at midnight of the union's time zone, nearly two hours before UTC in summer", () => {
    const now = new Date("2025-07-01T21:59:59Z");
    accepted(startingAt("20250701T235959"), { now });
    expect(faultsOf(startingAt("20250702T000000"), { now })).toMatchObject([
      { code: "start_in_future", expected: "not after 20250701", received: "20250702T000000" },
    ]);
    accepted(startingAt("20250702T000000"), { now: new Date("2025-07-01T22:00:00Z") });
  });

  test("today ends at midnight of the configured time zone", () => {
    const now = new Date("2025-07-02T03:00:00Z");
    expect(short(faultsOf(startingAt("20250702T000000"), { now, timeZone: "America/New_York" }))).toEqual([
      "start_in_future /Round/StartTime",
    ]);
  });

  test("for an unlisted course, today ends at midnight of the earliest time zone", () => {
    const now = new Date("2025-07-01T09:59:59Z");
    accepted(startingAt("20250701T235959", cardAbroad()), { now });
    expect(faultsOf(startingAt("20250702T000000", cardAbroad()), { now })).toMatchObject([
      { expected: "not after 20250701" },
    ]);
    accepted(startingAt("20250702T000000", cardAbroad()), { now: new Date("2025-07-01T10:00:00Z") });
  });
});

describe("size of a card", () => {
  const ofBytes = (bytes: number, filler = "x") => {
    const card = minimalCard({ Photo: "" });
    const room = bytes - Buffer.byteLength(JSON.stringify(card));
    return { ...card, Photo: filler.repeat(room / Buffer.byteLength(filler)) };
  };

  test("a card may have 200 KiB of JSON, in bytes", () => {
    accepted(ofBytes(200 * 1024));
    expect(faultsOf(ofBytes(200 * 1024 + 1))).toMatchObject([
      { code: "card_too_large", expected: "at most 204800", received: 204_801 },
    ]);
    expect(short(faultsOf(minimalCard({ Photo: "€".repeat(70_000) })))).toEqual(["card_too_large "]);
  });

  test("the size limit also applies to a malformed card", () => {
    const { HCP, ...card } = ofBytes(300_000);
    expect(short(faultsOf(card))).toEqual(["card_too_large "]);
  });

  test("a card may be nested 32 levels deep", () => {
    const nested = (levels: number): Json =>
      levels === 0 ? 1 : levels % 2 === 0 ? [nested(levels - 1)] : { deeper: nested(levels - 1) };
    accepted(minimalCard({ Extra: nested(31) }));
    expect(faultsOf(minimalCard({ Extra: nested(32) }))).toMatchObject([
      { code: "card_too_deep", expected: "at most 32" },
    ]);
    expect(
      short(faultsOf(minimalCard({ Comment: JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) }))),
    ).toEqual(["card_too_deep "]);
  });
});

describe("an assessment", () => {
  test("an assessment names the ExternalID of its card if that can be read", () => {
    const { ExternalID, ...nameless } = minimalCard();
    expect(assess(minimalCard())).toMatchObject({ good: true, index: 0, externalId: ExternalID });
    expect(assess(nameless)).not.toHaveProperty("externalId");
    for (const none of ["", 7, null, "x".repeat(257), "S\ufffd-1"]) {
      const assessment = assess(minimalCard({ ExternalID: none }));
      expect(assessment).not.toHaveProperty("externalId");
      expect(assessment).toMatchObject({ good: false, faults: [{ index: 0, pointer: "/ExternalID" }] });
      expect((assessment as Json).faults[0]).not.toHaveProperty("externalId");
    }
  });

  test("the assessment of a faulty card names its ExternalID, too", () => {
    const { ExternalID } = minimalCard();
    expect(assess(minimalCard({ HCP: "x" }))).toMatchObject({
      good: false,
      externalId: ExternalID,
      faults: [{ externalId: ExternalID }],
    });
  });

  test("two cards without an ExternalID are not duplicates", () => {
    const { ExternalID, ...nameless } = minimalCard();
    for (const assessment of assessSubmission([nameless, nameless], context()))
      expect((assessment as Json).faults.map(({ code }: Json) => code)).toEqual(["required"]);
  });

  test("the fault of a repeated ExternalID names the first card that has it", () => {
    const cards = [minimalCard(), fullCard(), minimalCard({ ExternalID: "other" }), minimalCard()];
    const [first, second, other, last] = assessSubmission(cards, context());
    expect([first?.good, second?.good, other?.good, last?.good]).toEqual([true, false, true, false]);
    for (const repeated of [second, last]) {
      expect((repeated as Json).faults).toMatchObject([
        {
          pointer: "/ExternalID",
          code: "duplicate_external_id",
          detail: "The card at index 0 of this submission has the same ExternalID. Give each card its own.",
          received: minimalCard().ExternalID,
        },
      ]);
    }
  });

  test("a card with the ID of a valid one before it, in any case, is accepted with a warning", () => {
    const ID = "7a59ca0a-525b-4884-8161-94572c2de3a2";
    const cards = [
      minimalCard({ ExternalID: "bad", ID, HCP: "x" }),
      minimalCard({ ExternalID: "first", ID }),
      minimalCard({ ExternalID: "second", ID: ID.toUpperCase() }),
      minimalCard({ ExternalID: "without" }),
      minimalCard({ ExternalID: "without, too" }),
    ];
    const [bad, ...taken] = assessSubmission(cards, context());
    expect([bad?.good, ...taken.map(({ good }) => good)]).toEqual([false, true, true, true, true]);
    expect(taken.map(({ warnings }) => short(warnings))).toEqual([
      [],
      ["duplicate_id /ID", "round_seen /Round/StartTime"],
      ["round_seen /Round/StartTime"],
      ["round_seen /Round/StartTime"],
    ]);
    expect(taken[1]?.warnings[0]).toMatchObject({
      index: 2,
      externalId: "second",
      detail: expect.stringContaining("The card at index 1 of this submission has the same ID."),
      received: ID.toUpperCase(),
    });
  });

  test("what is no JSON object gets one fault that says so", () => {
    for (const none of [null, 7, "x", [], [minimalCard()]])
      expect(faultsOf(none)).toEqual([
        { index: 0, pointer: "", code: "not_an_object", detail: "A scorecard must be a JSON object." },
      ]);
  });
});
